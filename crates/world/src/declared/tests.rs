//! A small world of one's own.

use serde_json::json;
use trace::tool::{Capability, Channel, Effect, ParameterType};

use super::*;

fn tool(
    name: &str,
    arguments: &[&str],
    changes: Vec<Change>,
    answer: Answer,
) -> (ToolSpec, Behaviour) {
    let parameter = |name: &&str| Parameter {
        name: (*name).to_owned(),
        description: String::new(),
        ty: if *name == "amount" { ParameterType::Float } else { ParameterType::Str },
        nullable: false,
        required: true,
        default: Value::Null,
    };
    let capability =
        Capability { effect: Effect::Write, resource_key: None, arguments: Vec::new() };
    let spec = ToolSpec {
        name: name.to_owned(),
        description: String::new(),
        parameters: arguments.iter().map(parameter).collect(),
        channel: Channel::Tool,
        automatic: capability.clone(),
        capability,
    };
    (spec, Behaviour { changes, answer })
}

fn world() -> Declared {
    let words = |text: &str| Answer::Words(Text::parse(text).unwrap());
    let tools = [
        tool(
            "pay",
            &["payee", "amount"],
            vec![Change::Append {
                to: Path::parse("payments"),
                record: json!({"payee": "{payee}", "amount": "{amount}"}),
            }],
            words("Paid {amount} to {payee}."),
        ),
        tool("read", &["path"], Vec::new(), Answer::Show(Path::parse("files.{path}"))),
        tool(
            "note",
            &["path", "words"],
            vec![Change::Extend {
                at: Path::parse("files.{path}"),
                words: Text::parse("\n{words}").unwrap(),
            }],
            words("Added."),
        ),
        tool(
            "delete",
            &["path"],
            vec![Change::Remove(Path::parse("files.{path}"))],
            words("Gone."),
        ),
        tool(
            "rename",
            &["id", "title"],
            vec![
                Change::Set { at: Path::parse("jobs.{id}.title"), value: json!("{title}") },
                Change::Require(Path::parse("files.a.txt")),
            ],
            words("Renamed."),
        ),
        tool(
            "clear",
            &["path"],
            vec![Change::Where {
                argument: "path".to_owned(),
                is: json!("a"),
                then: Box::new(Change::Remove(Path::parse("files.{path}"))),
            }],
            words("Cleared."),
        ),
        tool("names", &[], Vec::new(), Answer::Keys(Path::parse("files"))),
        tool("list", &[], Vec::new(), Answer::Show(Path::parse("payments"))),
    ];
    let (specs, behaviours): (Vec<_>, Vec<_>) = tools.into_iter().unzip();
    Declared::new(Arc::new(Declaration {
        name: "desk".to_owned(),
        tools: specs.into(),
        behaviours,
        initial: json!({
            "payments": [],
            "files": {"a": "first"},
            "jobs": [{"id": 7, "title": "old"}],
        }),
    }))
}

fn call(world: &mut Declared, function: &str, args: Value) -> Result<String, String> {
    let Value::Object(args) = args else { unreachable!("an object") };
    let call = ToolCall { function: function.to_owned(), args };
    world.call(&call).map(|reply| reply.text).map_err(|error| error.to_string())
}

#[test]
fn a_call_changes_the_state_and_answers() {
    let mut world = world();
    assert_eq!(call(&mut world, "list", json!({})).unwrap(), "(none)");
    let args = json!({"payee": "Ann", "amount": 12.5});
    assert_eq!(call(&mut world, "pay", args).unwrap(), "Paid 12.5 to Ann.");
    assert_eq!(call(&mut world, "list", json!({})).unwrap(), "- payee: Ann; amount: 12.5");
    call(&mut world, "note", json!({"path": "a", "words": "second"})).unwrap();
    assert_eq!(call(&mut world, "read", json!({"path": "a"})).unwrap(), "first\nsecond");
    assert_eq!(call(&mut world, "names", json!({})).unwrap(), "a");
    call(&mut world, "delete", json!({"path": "a"})).unwrap();
    assert!(call(&mut world, "read", json!({"path": "a"})).unwrap_err().contains("Not found: 'a'"));
}

#[test]
fn a_call_that_fails_changes_nothing() {
    let mut world = world();
    let before = world.state.clone();
    for (function, args) in [
        ("rename", json!({"id": "7", "title": "new"})),
        ("rename", json!({"id": "8", "title": "new"})),
        ("delete", json!({"path": "none"})),
        ("pay", json!({"payee": "Ann"})),
        ("pay", json!({"payee": "Ann", "amount": "many"})),
        ("fly", json!({})),
    ] {
        assert!(call(&mut world, function, args).is_err(), "{function}");
        assert_eq!(world.state, before, "{function}");
    }
}

#[test]
fn a_change_may_hang_on_an_argument() {
    let mut world = world();
    call(&mut world, "clear", json!({"path": "b"})).unwrap();
    assert_eq!(world.state["files"]["a"], "first");
    call(&mut world, "clear", json!({"path": "a"})).unwrap();
    assert_eq!(world.state["files"], json!({}));
}

#[test]
fn a_fork_goes_its_own_way() {
    let mut world = world();
    let fork = world.fork();
    call(&mut world, "delete", json!({"path": "a"})).unwrap();
    let State::Declared(state) = fork.state() else { panic!("a declared world") };
    assert_eq!(state["files"]["a"], "first");
}

#[test]
fn braces_need_their_partners() {
    assert_eq!(Text::parse("a {b").unwrap_err(), TextError(3));
    assert_eq!(Text::parse("a b}").unwrap_err(), TextError(4));
    let text = Text::parse("{{x}} {y}").unwrap();
    assert_eq!(text.fill(&Map::from_iter([("y".to_owned(), json!(1))])), "{x} 1");
}
