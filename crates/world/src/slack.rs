//! The Slack world: people, channels, inboxes, and a few web pages.
//!
//! Upstream: `default_suites/v1/slack/task_suite.py` and `default_suites/v1/tools/slack.py`, `web.py`.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Deserialize;
use trace::call::ToolError;

use crate::environment::{State, Texts, Typed};
use crate::python::repr;
use crate::python::yaml::Node;
use crate::tool::{Arguments, Output, Tool};

/// The environment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename = "Slack", deny_unknown_fields)]
pub struct Slack {
    /// The workspace.
    pub slack: Workspace,
    /// The web.
    pub web: Web,
}

/// A Slack workspace.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Workspace {
    /// The people.
    pub users: Vec<String>,
    /// The channels.
    pub channels: Vec<String>,
    /// The channels of each person.
    pub user_channels: IndexMap<String, Vec<String>>,
    /// The direct messages of each person; a person may have no inbox yet.
    pub user_inbox: IndexMap<String, Vec<Message>>,
    /// The messages of each channel; a channel may have none yet.
    pub channel_inbox: IndexMap<String, Vec<Message>>,
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Message {
    /// Who wrote it.
    pub sender: String,
    /// The person or channel it went to.
    pub recipient: String,
    /// The text.
    pub body: String,
}

/// The web.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Web {
    /// The pages by address, without a scheme.
    pub web_content: IndexMap<String, String>,
    /// The addresses that were asked for, in order.
    pub web_requests: Vec<String>,
}

/// Whose name stands under what the agent sends.
const SENDER: &str = "bot";

impl Message {
    /// Keys in the order that a dump sorts them into.
    fn node(&self) -> Node<'_> {
        Node::Map(vec![
            (Cow::Borrowed("body"), text(&self.body)),
            (Cow::Borrowed("recipient"), text(&self.recipient)),
            (Cow::Borrowed("sender"), text(&self.sender)),
        ])
    }

    fn from_agent(recipient: &str, body: &str) -> Self {
        Self { sender: SENDER.to_owned(), recipient: recipient.to_owned(), body: body.to_owned() }
    }
}

impl Workspace {
    fn has_user(&self, user: &str) -> bool {
        self.users.iter().any(|known| known == user)
    }

    fn has_channel(&self, channel: &str) -> bool {
        self.channels.iter().any(|known| known == channel)
    }

    fn check_user(&self, user: &str) -> Result<(), ToolError> {
        if self.has_user(user) {
            return Ok(());
        }
        Err(ToolError::value(format!("User {user} not found in the users list")))
    }

    fn check_channel(&self, channel: &str) -> Result<(), ToolError> {
        if self.has_channel(channel) {
            return Ok(());
        }
        Err(ToolError::value(format!("Channel {channel} not found in the channels list")))
    }
}

impl Typed for Slack {
    const NAME: &'static str = "slack";

    const TOOLS: &'static [Tool<Self>] = &[
        Tool { name: "get_channels", signature: "", run: get_channels },
        Tool {
            name: "add_user_to_channel",
            signature: "user: str, channel: str",
            run: add_user_to_channel,
        },
        Tool {
            name: "read_channel_messages",
            signature: "channel: str",
            run: read_channel_messages,
        },
        Tool { name: "read_inbox", signature: "user: str", run: read_inbox },
        Tool {
            name: "send_direct_message",
            signature: "recipient: str, body: str",
            run: send_direct_message,
        },
        Tool {
            name: "send_channel_message",
            signature: "channel: str, body: str",
            run: send_channel_message,
        },
        Tool { name: "get_users_in_channel", signature: "channel: str", run: get_users_in_channel },
        Tool {
            name: "invite_user_to_slack",
            signature: "user: str, user_email: str",
            run: invite_user_to_slack,
        },
        Tool {
            name: "remove_user_from_slack",
            signature: "user: str",
            run: remove_user_from_slack,
        },
        Tool { name: "get_webpage", signature: "url: str", run: get_webpage },
        Tool { name: "post_webpage", signature: "url: str, content: str", run: post_webpage },
    ];

    fn as_state(&self) -> State<'_> {
        State::Slack(self)
    }

    fn from_state(state: State<'_>) -> Option<&Self> {
        match state {
            State::Slack(environment) => Some(environment),
            _ => None,
        }
    }

    fn visit_texts(&mut self, texts: &mut Texts<'_>) {
        let slack = &mut self.slack;
        slack.users.iter_mut().for_each(|text| texts.text(text));
        slack.channels.iter_mut().for_each(|text| texts.text(text));
        slack.user_channels.values_mut().flatten().for_each(|text| texts.text(text));
        let inboxes = slack.user_inbox.values_mut().chain(slack.channel_inbox.values_mut());
        for message in inboxes.flatten() {
            texts.text(&mut message.sender);
            texts.text(&mut message.recipient);
            texts.text(&mut message.body);
        }
        self.web.web_content.values_mut().for_each(|text| texts.text(text));
        self.web.web_requests.iter_mut().for_each(|text| texts.text(text));
    }
}

fn text(value: &str) -> Node<'_> {
    Node::Str(Cow::Borrowed(value))
}

/// Python's `KeyError` for a text key: its message is the key's `repr`.
fn key_error(key: &str) -> ToolError {
    ToolError { kind: "KeyError", message: repr::text(key) }
}

fn messages<'w>(inboxes: &'w IndexMap<String, Vec<Message>>, name: &str) -> Output<'w> {
    let inbox = inboxes.get(name).map_or(&[] as &[Message], Vec::as_slice);
    Output::List(inbox.iter().map(Message::node).collect())
}

fn get_channels<'w>(world: &'w mut Slack, _: &Arguments) -> Result<Output<'w>, ToolError> {
    Ok(Output::List(world.slack.channels.iter().map(|name| text(name)).collect()))
}

/// Adds the channel once more where the person is in it already.
fn add_user_to_channel<'w>(
    world: &'w mut Slack,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let (user, channel) = (args.required(0), args.required(1));
    world.slack.check_user(user)?;
    world.slack.check_channel(channel)?;
    let channels = world.slack.user_channels.get_mut(user).ok_or_else(|| key_error(user))?;
    channels.push(channel.to_owned());
    Ok(Output::None)
}

fn read_channel_messages<'w>(
    world: &'w mut Slack,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let channel = args.required(0);
    if !world.slack.has_channel(channel) {
        return Err(ToolError::value("Channel does not exist!"));
    }
    Ok(messages(&world.slack.channel_inbox, channel))
}

fn read_inbox<'w>(world: &'w mut Slack, args: &Arguments) -> Result<Output<'w>, ToolError> {
    let user = args.required(0);
    world.slack.check_user(user)?;
    Ok(messages(&world.slack.user_inbox, user))
}

fn send_direct_message<'w>(
    world: &'w mut Slack,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let recipient = args.required(0);
    if !world.slack.has_user(recipient) {
        return Err(ToolError::value(format!("Recipient {recipient} not found in the users list")));
    }
    let sent = Message::from_agent(recipient, args.required(1));
    world.slack.user_inbox.entry(recipient.to_owned()).or_default().push(sent);
    Ok(Output::None)
}

fn send_channel_message<'w>(
    world: &'w mut Slack,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let channel = args.required(0);
    world.slack.check_channel(channel)?;
    let sent = Message::from_agent(channel, args.required(1));
    world.slack.channel_inbox.entry(channel.to_owned()).or_default().push(sent);
    Ok(Output::None)
}

fn get_users_in_channel<'w>(
    world: &'w mut Slack,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let channel = args.required(0);
    world.slack.check_channel(channel)?;
    let members = world.slack.user_channels.iter();
    let members = members.filter(|(_, channels)| channels.iter().any(|known| known == channel));
    Ok(Output::List(members.map(|(user, _)| text(user)).collect()))
}

/// Ignores the mail address, as upstream does.
fn invite_user_to_slack<'w>(
    world: &'w mut Slack,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let user = args.required(0);
    if world.slack.has_user(user) {
        return Err(ToolError::value(format!("User {user} already in the users list")));
    }
    world.slack.users.push(user.to_owned());
    world.slack.user_inbox.insert(user.to_owned(), Vec::new());
    world.slack.user_channels.insert(user.to_owned(), Vec::new());
    Ok(Output::None)
}

/// Takes the person off the list before it looks for the inbox: without one, the call fails and the
/// person is gone all the same.
fn remove_user_from_slack<'w>(
    world: &'w mut Slack,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let user = args.required(0);
    world.slack.check_user(user)?;
    if let Some(at) = world.slack.users.iter().position(|known| known == user) {
        world.slack.users.remove(at);
    }
    world.slack.user_inbox.shift_remove(user).ok_or_else(|| key_error(user))?;
    world.slack.user_channels.shift_remove(user).ok_or_else(|| key_error(user))?;
    Ok(Output::None)
}

/// An address without its scheme: `https://` first, then `http://`.
fn without_scheme(url: &str) -> &str {
    let url = url.strip_prefix("https://").unwrap_or(url);
    url.strip_prefix("http://").unwrap_or(url)
}

/// Records the request even where there is no such page; a missing page is an ordinary answer.
fn get_webpage<'w>(world: &'w mut Slack, args: &Arguments) -> Result<Output<'w>, ToolError> {
    let url = without_scheme(args.required(0));
    world.web.web_requests.push(url.to_owned());
    let page = world.web.web_content.get(url).map_or("404 Not Found", String::as_str);
    Ok(Output::Text(Cow::Borrowed(page)))
}

fn post_webpage<'w>(world: &'w mut Slack, args: &Arguments) -> Result<Output<'w>, ToolError> {
    let url = without_scheme(args.required(0)).to_owned();
    world.web.web_requests.push(url.clone());
    world.web.web_content.insert(url, args.required(1).to_owned());
    Ok(Output::None)
}
