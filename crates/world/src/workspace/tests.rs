use serde_json::{Value, json};
use trace::call::ToolError;

use super::*;
use crate::mail::Attachment;
use crate::tool::Arguments;

const OWNER: &str = "owner@firm.com";

fn mail(id: &str, read: bool) -> Value {
    json!({
        "id_": id, "sender": "Ann@firm.com", "recipients": [OWNER], "cc": [], "bcc": [],
        "subject": format!("Subject {id}"), "body": "Text", "status": "received", "read": read,
        "timestamp": { "$datetime": "2024-05-14T11:00:00" }, "attachments": ["0"],
    })
}

/// Two mails, one event from 10 to 11, one file of four characters.
fn world() -> Workspace {
    let mut environment = json!({
        "inbox": {
            "account_email": OWNER, "emails": { "3": mail("3", true), "7": mail("7", false) },
            "contact_list": [{ "email": "ann@firm.com", "name": "Ann" }], "trash": {},
        },
        "calendar": {
            "current_day": { "$date": "2024-05-15" }, "account_email": OWNER,
            "events": { "1": {
                "id_": "1", "title": "Sync", "description": "", "location": null,
                "start_time": { "$datetime": "2024-05-15T10:00:00" },
                "end_time": { "$datetime": "2024-05-15T11:00:00" },
                "participants": [OWNER], "all_day": false, "status": "confirmed",
            } },
        },
        "cloud_drive": { "account_email": OWNER, "files": {} },
    });
    environment["cloud_drive"]["files"]["0"] = json!({
        "id_": "0", "filename": "notes.txt", "content": "caf\u{e9}", "owner": OWNER,
        "last_modified": { "$datetime": "2024-01-01T00:00:00" }, "shared_with": {}, "size": 0,
    });
    let mut world: Workspace = serde_json::from_value(environment).unwrap();
    // A walk over the texts measures the files.
    world.visit_texts(&mut Texts::all(&mut |_| {}));
    world
}

fn call(world: &mut Workspace, name: &str, values: Value) -> Result<String, ToolError> {
    let tool = Workspace::TOOLS.iter().find(|tool| tool.name == name).unwrap();
    let Value::Array(values) = values else { unreachable!("values are given as a list") };
    (tool.run)(world, &Arguments::given(values)).map(crate::tool::Output::render)
}

/// Sends a mail to one address.
fn send(world: &mut Workspace, to: &str) -> Result<String, ToolError> {
    call(world, "send_email", json!([[to], "s", "b", null, null, null]))
}

#[test]
fn the_id_of_a_deleted_mail_is_given_again_and_its_place_in_the_trash_stays() {
    let mut world = world();
    send(&mut world, "a@b.co").unwrap();
    call(&mut world, "delete_email", json!(["8"])).unwrap();
    call(&mut world, "delete_email", json!(["3"])).unwrap();
    send(&mut world, "c@d.co").unwrap();
    call(&mut world, "delete_email", json!(["8"])).unwrap();
    assert_eq!(world.inbox.trash.keys().collect::<Vec<_>>(), ["8", "3"]);
    assert_eq!(world.inbox.trash["8"].recipients, ["c@d.co"]);
    let gone = call(&mut world, "delete_email", json!(["8"])).unwrap_err();
    assert_eq!(gone.to_string(), "ValueError: Email with ID '8' not found.");
}

#[test]
fn an_event_shows_in_mails_sent_earlier_as_it_is_now_with_the_same_times() {
    let mut world = world();
    call(&mut world, "reschedule_calendar_event", json!(["1", "2024-05-16 09:00", null])).unwrap();
    call(&mut world, "cancel_calendar_event", json!(["1"])).unwrap();
    let sent = call(&mut world, "get_sent_emails", json!([])).unwrap();
    assert_eq!(sent.matches("status: canceled").count(), 2, "{sent}");
    assert!(sent.contains("end_time: &id001 2024-05-16 10:00:00"), "{sent}");
    assert!(sent.contains("end_time: *id001") && sent.contains("start_time: *id002"), "{sent}");
    assert!(sent.contains("subject: 'Rescheduled: ''{event.title}'''"), "{sent}");
}

#[test]
fn a_mail_that_fails_leaves_what_was_changed_before_and_a_reading_of_the_clock() {
    let mut world = world();
    call(&mut world, "add_calendar_event_participants", json!(["1", ["nobody"]])).unwrap();
    let failed = call(&mut world, "cancel_calendar_event", json!(["1"])).unwrap_err();
    assert_eq!(failed.kind, "ValidationError");
    assert!(failed.message.contains("\nrecipients.1\n"), "{failed}");
    assert_eq!(world.calendar.events["1"].status, crate::calendar::EventStatus::Canceled);
    send(&mut world, "a@b.co").unwrap();
    assert_eq!(world.inbox.emails["8"].timestamp.to_string(), "2024-05-15 12:00:01");
}

#[test]
fn an_invitation_goes_out_in_the_order_given_and_takes_part_in_sorted_order() {
    let mut world = world();
    let args =
        json!(["t", "2024-05-16 10:00", "2024-05-16 11:00", "d", ["z@b.co", "a@b.co"], null]);
    call(&mut world, "create_calendar_event", args).unwrap();
    assert_eq!(world.inbox.emails["8"].recipients, ["z@b.co", "a@b.co", OWNER]);
    assert_eq!(world.inbox.emails["8"].attachments, [Attachment::Event("2".to_owned())]);
    assert_eq!(world.calendar.events["2"].participants, ["a@b.co", OWNER, "z@b.co"]);
}

#[test]
fn attachments_are_files_or_events_that_are_described() {
    let mut world = world();
    let mut attach = |attachment: Value| {
        let sent =
            call(&mut world, "send_email", json!([["a@b.co"], "s", "b", [attachment], null, null]));
        sent.map_or_else(|error| error.to_string(), |shown| shown.replace('\n', " "))
    };
    let event = json!({
        "id_": "9", "title": "t", "description": "", "start_time": "2024-05-15T10:00Z",
        "end_time": 1_715_770_800, "location": null, "participants": ["A <X@Y.CO>"],
    });
    let cases = [
        (json!({ "type": "file", "file_id": 3 }), "attachments: - '3' bcc: []"),
        (json!({ "type": "event", "file_id": "4" }), "attachments: - '4' bcc: []"),
        (json!({ "file_id": "4" }), "ValueError: Attachment must have a 'type' field."),
        (
            json!({ "type": "file" }),
            "ValueError: Attachment of type 'file' must have a 'file_id' field.",
        ),
        (
            json!({ "type": "event", "event_details": event }),
            "start_time: 2024-05-15 10:00:00+00:00",
        ),
        (
            json!({ "type": "event", "event_details": {} }),
            "ValidationError: 7 validation errors for CalendarEvent",
        ),
        (json!({ "type": "event", "event_details": 5 }), "must be a mapping, not int"),
    ];
    for (attachment, expected) in cases {
        let got = attach(attachment.clone());
        assert!(got.contains(expected), "{attachment}: {got}");
    }
}

#[test]
fn files_are_measured_in_characters_and_shared_with_anybody() {
    let mut world = world();
    assert_eq!(world.cloud_drive.files["0"].size, 4);
    call(&mut world, "append_to_file", json!(["0", "\u{1f600}"])).unwrap();
    call(&mut world, "share_file", json!(["0", "nobody", "rw"])).unwrap();
    let shown = call(&mut world, "get_file_by_id", json!(["0"])).unwrap();
    assert!(shown.ends_with("shared_with:\n  nobody: rw\nsize: 5"), "{shown}");
    assert!(shown.contains("last_modified: 2024-05-15 12:00:00"), "{shown}");
    call(&mut world, "delete_file", json!(["0"])).unwrap();
    call(&mut world, "create_file", json!(["f", ""])).unwrap();
    assert_eq!(world.cloud_drive.files.keys().collect::<Vec<_>>(), ["1"]);
}

#[test]
fn unread_mails_are_read_when_they_are_shown_and_worlds_differ_by_that() {
    let (mut world, before) = (world(), world());
    let shown = call(&mut world, "get_unread_emails", json!([])).unwrap();
    assert!(shown.contains("id_: '7'") && !shown.contains("id_: '3'"), "{shown}");
    assert_ne!(world, before);
    assert_eq!(call(&mut world, "get_unread_emails", json!([])).unwrap(), "[]");
    let found = call(&mut world, "search_emails", json!(["SUBJECT 3", "ann@FIRM.com"])).unwrap();
    assert!(found.contains("id_: '3'"), "{found}");
}
