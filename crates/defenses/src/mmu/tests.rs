//! An object among the arguments is judged key by key.

use std::collections::BTreeMap;
use std::sync::Arc;

use harness::defense::{Defense as _, Entry, Page, Verdict};
use serde_json::Value as Json;
use trace::call::ToolCall;
use trace::profile::Profile;
use trace::tool::{ArgumentCapability, Capability, Channel, Effect, Kind, Role, ToolSpec};

use super::{Mmu, Schemas, Setting};

/// A tool that sends attachments, each with a file's id and words that are free.
fn tool() -> ToolSpec {
    let entry = |role, kind| ArgumentCapability {
        role,
        kind,
        absent_safe: true,
        safe_values: Vec::new(),
        fields: BTreeMap::new(),
    };
    let mut attachments = entry(Role::Resource, Kind::Identifier);
    attachments.fields = [
        ("file_id".to_owned(), entry(Role::Resource, Kind::Identifier)),
        ("type".to_owned(), entry(Role::Free, Kind::Text)),
    ]
    .into();
    ToolSpec {
        name: "send".to_owned(),
        description: String::new(),
        parameters: Vec::new(),
        channel: Channel::Tool,
        automatic: Capability {
            effect: Effect::External,
            resource_key: None,
            arguments: Vec::new(),
        },
        capability: Capability {
            effect: Effect::Write,
            resource_key: None,
            arguments: vec![("attachments".to_owned(), attachments)],
        },
    }
}

#[test]
fn a_value_within_an_object_is_secured_by_its_own_key() {
    let args = serde_json::json!({ "attachments": [{ "type": "file", "file_id": "42" }] });
    let Json::Object(args) = args else { unreachable!("an object literal") };
    let call = ToolCall { function: "send".to_owned(), args };
    for (profile, words, verdict) in [
        (Profile::Strict, "send file 42", Verdict::Allow),
        (Profile::Strict, "send that file", Verdict::Ask),
        (Profile::Destinations, "send that file", Verdict::Allow),
    ] {
        let schemas = Arc::new(Schemas::new(&[tool()], profile));
        let mut mmu = Mmu::new(schemas, Setting::default());
        let pages = [(Channel::User, words), (Channel::Tool, "id_: '42'")];
        for (number, (channel, text)) in (0..).zip(pages) {
            assert_eq!(
                mmu.on_enter(Page { number, channel, text, typed_by: None, reply_to: None }),
                Entry::Admit
            );
            mmu.on_index(Page { number, channel, text, typed_by: None, reply_to: None });
        }
        let ruling = mmu.on_call(&call, None);
        assert_eq!(ruling.verdict, verdict, "{profile:?}, {words}: {:?}", ruling.faults);
    }
}

/// What becomes of a call that names the user's own file, once a reply repeats it.
#[test]
fn settings_change_what_decides() {
    let args = serde_json::json!({ "attachments": [{ "type": "file", "file_id": "report" }] });
    let Json::Object(args) = args else { unreachable!("an object literal") };
    let call = ToolCall { function: "send".to_owned(), args };
    let forall = Setting { forall: true, ..Setting::default() };
    let context = Setting { context: true, ..Setting::default() };
    for (setting, reply, verdict) in [
        (Setting::default(), "here is report", Verdict::Allow),
        (forall, "here is report", Verdict::Ask),
        (forall, "nothing", Verdict::Allow),
        (context, "nothing", Verdict::Ask),
    ] {
        let mut mmu = Mmu::new(Arc::new(Schemas::new(&[tool()], Profile::Strict)), setting);
        let pages = [(Channel::User, "send report"), (Channel::Tool, reply)];
        for (number, (channel, text)) in (0..).zip(pages) {
            mmu.on_enter(Page { number, channel, text, typed_by: None, reply_to: None });
            mmu.on_index(Page { number, channel, text, typed_by: None, reply_to: None });
        }
        let ruling = mmu.on_call(&call, None);
        assert_eq!(ruling.verdict, verdict, "{setting:?}, {reply}: {:?}", ruling.faults);
        assert_eq!(mmu.on_approval(&call, None, false), Ok(()));
        if verdict == Verdict::Ask {
            let again = mmu.on_call(&call, None).verdict;
            assert_eq!(again, Verdict::Deny, "{setting:?}: refused once, refused again");
        }
    }
}
