//! Names are found wherever they stand.

use serde_json::json;

use super::*;

fn scope() -> Vec<(&'static str, Shape)> {
    // `payments` is empty, and what stands in it is known from elsewhere.
    let payment = Shape::of(&json!({"payee": "", "amount": 1}));
    let state = Shape::of(&json!({"payments": [], "owner": {"name": "Ann"}}));
    let Shape::Record(mut fields) = state else { panic!("a record") };
    fields.insert("payments".to_owned(), Shape::List(Box::new(payment)));
    fields.insert("files".to_owned(), Shape::Table(Box::new(Shape::Text)));
    vec![
        ("post", Shape::Record(fields)),
        ("answer", Shape::Text),
        ("memory", Shape::List(Box::new(Shape::Text))),
    ]
}

#[test]
fn a_good_condition_has_no_mistake() {
    for text in [
        "post.payments.exists(p, p.payee == 'x' && p.amount > 3)",
        "size(post.payments.filter(p, p.amount > 3.5)) == 1",
        "post.payments.map(p, p.payee).exists(x, x.startsWith('DE'))",
        "'a.txt' in post.files && post.files['a.txt'].contains('x')",
        "!has(post.owner.name) || answer.contains(post.owner.name)",
        "memory.exists_one(m, m.contains('x'))",
        "post.payments[0].amount == 3",
    ] {
        let condition = Condition::compile(text).unwrap();
        assert_eq!(condition.check(&scope()), Vec::new(), "{text}");
    }
}

#[test]
fn a_bad_name_is_found_where_it_stands() {
    for (text, name, hint) in [
        ("post.payment.exists(p, true)", "payment", "did you mean `payments`?"),
        ("post.payments.exists(p, p.paye == 'x')", "paye", "did you mean `payee`?"),
        ("false && post.owner.nam == 'x'", "nam", "did you mean `name`?"),
        ("true || anser == 'x'", "anser", "did you mean `answer`?"),
        ("post.payments.filter(p, q.payee == 'x').size() > 0", "q", ""),
        ("has(post.ownr)", "ownr", "did you mean `owner`?"),
        ("answer.startWith('x')", "startWith", "did you mean `startsWith`?"),
        ("post.payments.amount == 3", "amount", "say which"),
        ("post['paymets'].size() == 0", "paymets", "did you mean `payments`?"),
        ("memory.contains('x')", "contains", "for a list"),
        ("'x' in answer", "in", "for a part of a text"),
        ("answer.matches('x')", "matches", ""),
    ] {
        let condition = Condition::compile(text).unwrap();
        let errors = condition.check(&scope());
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert_eq!(errors[0].name, name, "{text}");
        assert_eq!(&text[errors[0].offset..][..name.len()], name, "{text}");
        assert!(errors[0].hint.as_deref().unwrap_or_default().contains(hint), "{errors:?}");
    }
}

#[test]
fn a_wrong_type_is_named() {
    for (text, expected) in [
        ("post.payments.exists(p, p.amount == '3')", "a number is compared with a text"),
        ("post.owner.name && true", "true or false is needed, this is a text"),
        ("size(post.payments)", "a condition must be true or false, this is a number"),
        ("answer.exists(x, true)", "a text has no items"),
        ("answer in [1, 2]", "a text is compared with a number"),
    ] {
        let errors = Condition::compile(text).unwrap().check(&scope());
        assert_eq!(errors.len(), 1, "{text}: {errors:?}");
        assert_eq!(errors[0].message, expected, "{text}");
    }
}

#[test]
fn a_text_that_is_no_condition_is_named_with_its_place() {
    let error = Condition::compile("post.a == 1 &&").unwrap_err();
    assert!(error.offset >= 10, "{error:?}");
}

#[test]
fn a_condition_reads_how_it_ended() {
    let (pre, post) = (json!({"n": 1}), json!({"n": 2, "to": ["a", 1.5]}));
    let args = json!({"path": "x"}).as_object().unwrap().clone();
    let calls = [ToolCall { function: "delete".to_owned(), args }];
    let memory = ["one".to_owned()];
    let values = json!({"who": "a"});
    let ended = Ended {
        pre: &pre,
        post: &post,
        calls: &calls,
        memory: &memory,
        answer: "done",
        values: &values,
    };
    for (text, expected) in [
        ("post.n == pre.n + 1", Ok(true)),
        ("values.who in post.to && 1.5 in post.to", Ok(true)),
        ("calls.exists(c, c.tool == 'delete' && c.args.path == 'x')", Ok(true)),
        ("memory.exists(m, m.contains('two')) || answer != 'done'", Ok(false)),
        ("post.missing == 1", Err(())),
        ("answer", Err(())),
    ] {
        let holds = Condition::compile(text).unwrap().holds(&ended);
        assert_eq!(holds.map_err(|_| ()), expected, "{text}");
    }
}
