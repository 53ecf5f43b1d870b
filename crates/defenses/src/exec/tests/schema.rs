//! The published schema is that of the lines that are sent and of the answers that are taken.

use harness::defense::Verdict;
use harness::memory::{Origin, OwnerAct, Subject};
use serde_json::{Value, json};
use trace::allowance::{Allowance, Allowed, Limit, Source};
use trace::course::Ceiling;
use trace::tool::Channel;

use super::super::answers::{self, Act, Admission, Done, Keep, Step, Storage, Word, word};
use super::super::{SCHEMA, hello, questions};
use super::{GOOD, Name, answering, approval, call, page, refuses, seen};

/// Why a value does not fit a form of the schema, with the keywords that this schema uses.
fn misfit(root: &Value, form: &Value, value: &Value) -> Option<String> {
    let Value::Object(keywords) = form else {
        return (form != &json!(true)).then(|| format!("no form: {form}"));
    };
    keywords.iter().find_map(|(keyword, wanted)| {
        let fits = match keyword.as_str() {
            "description" => true,
            "$ref" => {
                let at = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                return misfit(root, root.pointer(at).expect("it refers to a form"), value);
            }
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "type" if wanted.is_array() => {
                wanted.as_array().unwrap().iter().any(|ty| is_of(ty, value))
            }
            "type" => is_of(wanted, value),
            "minimum" => value.as_i64().is_none_or(|number| number >= wanted.as_i64().unwrap()),
            "maxItems" => value.as_array().unwrap().len() as u64 <= wanted.as_u64().unwrap(),
            "pattern" => is_code(wanted, value.as_str().unwrap()),
            "required" => {
                let mut names =
                    wanted.as_array().unwrap().iter().map(|name| name.as_str().unwrap());
                value.is_null() || names.all(|name| value.get(name).is_some())
            }
            "additionalProperties" => {
                let known = form["properties"].as_object().unwrap();
                value.as_object().unwrap().keys().all(|name| known.contains_key(name))
            }
            "properties" => {
                let fields = wanted.as_object().unwrap().iter();
                let mut given = fields.filter_map(|(name, form)| Some((form, value.get(name)?)));
                return given.find_map(|(form, field)| misfit(root, form, field));
            }
            "items" => return value.as_array()?.iter().find_map(|one| misfit(root, wanted, one)),
            "anyOf" => number_of_fits(root, wanted, value) > 0,
            "oneOf" => number_of_fits(root, wanted, value) == 1,
            other => panic!("the test does not know the keyword `{other}`"),
        };
        (!fits).then(|| format!("{keyword} {wanted}: {value}"))
    })
}

fn number_of_fits(root: &Value, forms: &Value, value: &Value) -> usize {
    let forms = forms.as_array().unwrap().iter();
    forms.filter(|form| misfit(root, form, value).is_none()).count()
}

fn is_of(ty: &Value, value: &Value) -> bool {
    match ty.as_str().unwrap() {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "null" => value.is_null(),
        other => panic!("the test does not know the type `{other}`"),
    }
}

fn is_code(pattern: &Value, text: &str) -> bool {
    assert_eq!(pattern, "^[A-Za-z0-9_-]{1,64}$", "the pattern that the answers are read by");
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-".contains(c);
    (1..=64).contains(&text.len()) && text.chars().all(plain)
}

fn schema() -> Value {
    serde_json::from_str(SCHEMA).unwrap()
}

#[track_caller]
fn fits(schema: &Value, name: &str, line: &Value) {
    let misfit = misfit(schema, &schema["$defs"][name], line);
    assert_eq!(misfit, None, "{name}: {line}");
    assert!(number_of_fits(schema, &schema["anyOf"], line) > 0, "{name} is a line");
}

#[test]
fn what_is_sent_fits_the_schema() {
    let schema = schema();
    let dir = tempfile::tempdir().unwrap();
    let answers: Vec<&str> = GOOD.iter().map(|(_, answer)| *answer).collect();
    let mut exec = answering(dir.path(), &answers);
    assert!(Name::ALL.iter().all(|name| !refuses(&mut exec, *name)));
    for (line, name) in seen(dir.path()).iter().zip(Name::ALL) {
        fits(&schema, name.as_str(), line);
        // Every field is named, so that a schema without a new one is noticed.
        if let Some(named) = schema["$defs"][name.as_str()]["properties"].as_object() {
            assert!(line.as_object().unwrap().keys().eq(named.keys()), "{line}");
        }
    }
    fits(&schema, "hello", &hello::greeting(&[]));
    for act in [
        approval(&[]),
        OwnerAct::Withdraw { subject: Subject::Page(3) },
        OwnerAct::Grant { record: 5, to: 1, ceiling: None, accepted: true, now: 7 },
        OwnerAct::Grant {
            record: 5,
            to: 1,
            ceiling: Some(Ceiling::Preference),
            accepted: false,
            now: 7,
        },
        allowed(&given(None), Origin::Channel(Channel::Mail)),
        allowed(&given(Some("600")), Origin::Content(Subject::Record(5))),
        OwnerAct::Disallow { name: "bills" },
    ] {
        fits(&schema, "on_owner", &questions::line(Name::Owner, 2, questions::acting(&act)));
    }
    let asked = call();
    let reply = harness::defense::Page { typed_by: Some(1), reply_to: Some(&asked), ..page("x") };
    for protocol in [1, 2] {
        let fields = questions::entering(reply, protocol);
        fits(&schema, "on_enter", &questions::line(Name::Enter, 2, fields));
    }
}

fn given(each: Option<&str>) -> Allowance {
    let limit = each.map(|each| Limit {
        argument: "amount".to_owned(),
        each: each.to_owned(),
        total: "1500".to_owned(),
    });
    Allowance {
        name: "bills".to_owned(),
        tool: "pay".to_owned(),
        arguments: vec![
            ("amount".to_owned(), Allowed::Any),
            ("to".to_owned(), Allowed::OneOf(vec![json!("Ann")])),
        ],
        source: Source::Channel(Channel::Mail),
        uses: each.map(|_| 3),
        expires: None,
        limit,
    }
}

fn allowed(allowance: &Allowance, source: Origin) -> OwnerAct<'_> {
    let until = allowance.uses.map(|_| 90);
    OwnerAct::Allow { tenant: 0, allowance, source, until, now: 7 }
}

/// Whether a line is an answer to the second question, asked at this hook.
fn is_taken(name: Name, line: &Value) -> bool {
    let text = line.to_string();
    match name {
        Name::Open | Name::Evict | Name::Clock => answers::done(&text, 2).is_ok(),
        Name::Enter | Name::Reload => word::<Admission>(&text, 2).is_ok(),
        Name::Derive => word::<Storage>(&text, 2).is_ok(),
        Name::Retrieve => answers::kept(&text, 2, &[3, 4, 5]).is_ok(),
        Name::Save => answers::state(&text, 2).is_ok(),
        Name::Restore => answers::restored(&text, 2).is_ok(),
        Name::Call => word::<Verdict>(&text, 2).is_ok(),
        Name::Approval | Name::Dispatch => word::<Step>(&text, 2).is_ok(),
        Name::Owner => answers::spoken(&text, 2).is_ok(),
        Name::Revoke => answers::revoked(&text, 2, 6).is_ok(),
    }
}

#[test]
fn what_is_taken_fits_the_schema_and_what_does_not_fit_is_not_taken() {
    let schema = schema();
    let hello = |protocol: u32, hooks: &[&str]| json!({ "id": 1, "protocol": protocol, "hooks": hooks, "name": "x" });
    let all: Vec<&str> = Name::ALL.iter().map(|name| name.as_str()).collect();
    for (line, good) in [
        (hello(2, &all), true),
        (hello(2, &[]), true),
        (hello(1, &["on_enter", "on_call"]), true),
        (hello(1, &["on_open"]), false),
        (hello(3, &[]), false),
        (hello(2, &["on_index"]), false),
    ] {
        assert_eq!(hello::hello(&line.to_string()).is_ok(), good, "{line}");
        assert_eq!(misfit(&schema, &schema["$defs"]["hello_answer"], &line).is_none(), good);
    }
    for (name, answer) in GOOD {
        let line: Value = serde_json::from_str(&format!("{{\"id\":2,{answer}}}")).unwrap();
        let form = format!("{}_answer", name.as_str());
        fits(&schema, &form, &line);
        assert!(is_taken(*name, &line), "{form}: {line}");
        for (field, spoilt) in [
            ("answer", json!("certainly")),
            ("id", json!(1)),
            ("reason", json!("two words")),
            ("more", json!(0)),
        ] {
            let mut line = line.clone();
            line[field] = spoilt;
            assert!(misfit(&schema, &schema["$defs"][&form], &line).is_some(), "{form}: {line}");
            assert!(!is_taken(*name, &line), "{form}: {line}");
        }
    }
}

fn words<W: Word>() -> Value {
    W::WORDS.iter().map(|(word, _)| *word).collect()
}

#[test]
fn the_schema_names_every_word_of_every_answer() {
    let schema = schema();
    for name in Name::ALL {
        let expected = match name {
            Name::Open | Name::Evict | Name::Save | Name::Restore | Name::Revoke | Name::Clock => {
                words::<Done>()
            }
            Name::Enter | Name::Reload => words::<Admission>(),
            Name::Derive => words::<Storage>(),
            Name::Retrieve => words::<Keep>(),
            Name::Call => words::<Verdict>(),
            Name::Approval | Name::Dispatch => words::<Step>(),
            Name::Owner => words::<Act>(),
        };
        let form = &schema["$defs"][format!("{}_answer", name.as_str())];
        assert_eq!(form["properties"]["answer"]["enum"], expected, "{name:?}");
    }
}
