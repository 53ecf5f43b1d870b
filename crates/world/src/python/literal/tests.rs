use super::string_list;
use serde_json::{Value, json};

#[test]
fn lists_are_read_as_python_reads_them() {
    let cases = [
        ("[]", json!([])),
        (" \t['a', \"b\",]  # c", json!(["a", "b"])),
        ("(['a'])", json!(["a"])),
        (
            "# c\n\n['a' 'b'\n u'c', r'\\n', '\\x41\\u00e9\\101\\q']",
            json!(["abc", "\\n", "A\u{e9}A\\q"]),
        ),
        ("['''a\nb''', 'c\\\nd']", json!(["a\nb", "cd"])),
        ("[1, -2, +3, 1_000, 0x_fF, 0o17, 0b1, 00]", json!([1, -2, 3, 1000, 255, 15, 1, 0])),
        ("[1., .5, -1e5, 0_1.5]", json!([1.0, 0.5, -100_000.0, 1.5])),
        ("[None, True, False, ..., 1e999]", json!([null, true, false, null, null])),
        ("[(1, 2), (1), (), {1, 2, 1}, set()]", json!([[1, 2], 1, [], [1, 2], []])),
        ("[{'a': 1, 'a': [2], 3: {}}]", json!([{"a": [2], "3": {}}])),
        ("[b'a' rb'\\x', 1+2j, -1.5-2j, 3j]", json!(["a\\x", "(1+2j)", "(-1.5-2j)", "3j"])),
        (
            "[18446744073709551616, -9223372036854775808]",
            json!([18_446_744_073_709_551_616.0, i64::MIN]),
        ),
        ("\\\n[1]\\\n\n", json!([1])),
    ];
    for (text, expected) in cases {
        assert_eq!(string_list(text).map(Value::Array), Some(expected), "{text:?}");
    }
}

#[test]
fn what_python_refuses_or_reads_as_something_else_stays_a_text() {
    let cases = [
        "",
        "a",
        "'[1]'",
        "(1, 2)",
        "[1],",
        "{1}",
        "[,]",
        "[1 2]",
        "[1,,2]",
        "[1];",
        "[1]+[2]",
        "['a\nb']",
        "['a'b'b']",
        "[f'a']",
        "[ur'a']",
        "['\\x4']",
        "['\\U00110000']",
        "[01]",
        "[1__0]",
        "[1_]",
        "[--1]",
        "[-True]",
        "[-'a']",
        "[1+2]",
        "[1+2j+3j]",
        "[true]",
        "[x]",
        "[None 1]",
        "[1\u{a0}]",
        "[\u{e9}]",
        "['a\0']",
        "\n [1]",
        "[1]\n ",
        "[1]\\\n",
        "[1",
        "['a]",
        "[{1: }]",
        "[{1: 2 3: 4}]",
        "[{[]: 1}]",
        "[*[1]]",
        "[1 if 1 else 2]",
        "[1if 1 else 2]",
        "[set(1)]",
    ];
    for text in cases {
        assert_eq!(string_list(text), None, "{text:?}");
    }
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(string_list(&nested(200)).is_some());
    assert!(string_list(&nested(201)).is_none());
    assert!(string_list(&"[(".repeat(100_000)).is_none());
}
