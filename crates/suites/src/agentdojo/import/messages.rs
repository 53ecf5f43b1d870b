//! The messages of a log: what the model said and asked for, and what came back.

use serde::Deserialize;
use serde_json::{Map, Value};
use trace::trajectory::{RecordedCall, RecordedReply, RecordedStep};

/// What the messages of a log come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Course {
    pub(super) steps: Vec<RecordedStep>,
    pub(super) answer: Option<String>,
}

/// A message in any of the forms.
#[derive(Deserialize)]
struct Message {
    role: String,
    #[serde(default)]
    content: Value,
    tool_calls: Option<Vec<Call>>,
    tool_call: Option<Call>,
    tool_call_id: Option<String>,
    error: Option<String>,
}

/// A call in upstream's shape, or as the models' own interfaces have it.
#[derive(Deserialize)]
struct Call {
    function: Function,
    args: Option<Value>,
    id: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Function {
    Named(String),
    Whole { name: String, arguments: Value },
}

/// A call that waits for its reply.
struct Pending {
    step: usize,
    call: usize,
    id: Option<String>,
}

/// Reads the messages of a log.
pub(super) fn course(messages: &Value) -> Result<Course, String> {
    let messages = messages.as_array().ok_or("`messages` is not a list")?;
    if messages.is_empty() {
        return Err("no message: the run was aborted before its first".to_owned());
    }
    let mut course = Course::default();
    let mut pending: Vec<Pending> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let in_message = |why: String| format!("in message {at}: {why}");
        let message =
            Message::deserialize(message).map_err(|error| in_message(error.to_string()))?;
        course.answer = None;
        match message.role.as_str() {
            "system" | "developer" | "user" => {}
            "assistant" => {
                let step = assistant(&message, &mut pending, course.steps.len());
                let step = step.map_err(in_message)?;
                course.answer = Some(step.text.clone().unwrap_or_default());
                course.steps.push(step);
            }
            "tool" => course.reply(message, &mut pending).map_err(in_message)?,
            other => return Err(in_message(format!("unknown role `{other}`"))),
        }
    }
    Ok(course)
}

fn assistant(
    message: &Message,
    pending: &mut Vec<Pending>,
    step: usize,
) -> Result<RecordedStep, String> {
    // A call of an earlier message that was never answered stays so.
    pending.clear();
    let mut calls = Vec::new();
    for (at, call) in message.tool_calls.iter().flatten().enumerate() {
        pending.push(Pending { step, call: at, id: call.id.clone() });
        let (function, args) = call.parts()?;
        calls.push(RecordedCall { function, args, reply: None });
    }
    Ok(RecordedStep { text: text(&message.content)?, calls })
}

impl Course {
    /// Puts a tool's message to the call that it answers: by its id, or else by its function; the
    /// first that fits, as calls are carried out in order.
    fn reply(&mut self, message: Message, pending: &mut Vec<Pending>) -> Result<(), String> {
        let answered = message.tool_call.as_ref().map(Call::parts).transpose()?;
        let id = message.tool_call_id.or_else(|| message.tool_call.and_then(|call| call.id));
        let has_id = |one: &Pending| one.id.is_some() && one.id == id;
        let calls_it = |one: &Pending| {
            let call = &self.steps[one.step].calls[one.call];
            answered.as_ref().is_none_or(|(function, _)| *function == call.function)
        };
        let found = pending.iter().position(|one| has_id(one) && calls_it(one));
        let found = found.or_else(|| pending.iter().position(calls_it));
        let found = found.ok_or("a tool answers a call that nobody asked for")?;
        let Pending { step, call, .. } = pending.remove(found);
        let call = &mut self.steps[step].calls[call];
        if let Some((_, args)) = answered {
            // What was carried out, where it is another than what was asked for.
            call.args = args;
        }
        let text = text(&message.content)?.unwrap_or_default();
        call.reply = Some(RecordedReply { text, error: message.error });
        Ok(())
    }
}

impl Call {
    fn parts(&self) -> Result<(String, Map<String, Value>), String> {
        let (name, args) = match &self.function {
            Function::Named(name) => (name, self.args.as_ref()),
            Function::Whole { name, arguments } => (name, Some(arguments)),
        };
        let args = match args {
            Some(Value::Object(args)) => args.clone(),
            Some(Value::String(text)) => serde_json::from_str(text)
                .map_err(|error| format!("the arguments of `{name}` are no object: {error}"))?,
            Some(Value::Null) | None => Map::new(),
            Some(_) => return Err(format!("the arguments of `{name}` are no object")),
        };
        Ok((name.clone(), args))
    }
}

/// A message's text: blocks of any type are joined by newlines, as upstream joins them for its
/// checks (`get_text_content_as_str`). `None` for content that is null.
fn text(content: &Value) -> Result<Option<String>, String> {
    match content {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone())),
        Value::Array(blocks) => {
            let texts = blocks.iter().map(|block| match block.get("content") {
                Some(Value::String(text)) => Ok(Some(text.as_str())),
                Some(Value::Null) => Ok(None),
                _ => Err("a block of the content has no text in `content`".to_owned()),
            });
            let texts: Vec<Option<&str>> = texts.collect::<Result<_, String>>()?;
            Ok(Some(texts.into_iter().flatten().collect::<Vec<_>>().join("\n")))
        }
        _ => Err("`content` is neither a text nor a list of blocks".to_owned()),
    }
}
