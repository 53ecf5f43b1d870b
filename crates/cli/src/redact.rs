//! Secrets never reach a file: keys are known by their form and by the names of the variables that hold
//! them.

use regex_lite::{Captures, Regex};

/// What stands in a secret's place.
pub(crate) const REDACTED: &str = "[redacted]";

/// The shortest value of a variable that is taken for a secret: shorter ones are too common as words.
const SHORTEST: usize = 6;

/// Parts of names of variables that hold secrets.
const NAMES: &[&str] = &[
    "KEY",
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "AUTH",
    "COOKIE",
    "BEARER",
    "PRIVATE",
    "SIGNATURE",
];

/// Forms of keys, each with what is kept of it in its first group.
const FORMS: &[&str] = &[
    r"()\b(?:sk|pk|rk|key)-[A-Za-z0-9_-]{16,}",
    r"()\b(?:gh[pousr]_|github_pat_|glpat-|hf_|xox[abeoprs]-|npm_)[A-Za-z0-9_-]{10,}",
    r"()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"()\bAIza[A-Za-z0-9_-]{30,}",
    r"()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    r"((?i:\b(?:bearer|basic)\s+))[A-Za-z0-9._~+/=-]{12,}",
    r#"((?i:\b(?:authorization|x-api-key|api[-_]?key|access[-_]?token|secret[-_]?key|password)["']?\s*[=:]\s*["']?))[^\s"'&,;<>]{6,}"#,
    r"(\b[A-Za-z][A-Za-z0-9+.-]*://)[^\s/@:]+:[^\s/@]+@",
    r"()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----",
];

/// Takes secrets out of texts.
pub(crate) struct Redactor {
    values: Vec<String>,
    forms: Vec<Regex>,
}

impl Redactor {
    /// Knows the secrets of this process's environment.
    pub(crate) fn from_env() -> Self {
        Self::of(std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        }))
    }

    fn of(variables: impl Iterator<Item = (String, String)>) -> Self {
        let secret = |(name, value): &(String, String)| {
            let name = name.to_ascii_uppercase();
            value.trim().len() >= SHORTEST && NAMES.iter().any(|part| name.contains(part))
        };
        let mut values: Vec<String> = Vec::new();
        for (_, value) in variables.filter(secret) {
            let value = value.trim();
            // A value also stands in JSON, in HTML, and in addresses.
            let json = serde_json::Value::from(value).to_string();
            values.push(json[1..json.len() - 1].to_owned());
            values.push(report::html::escaped(value));
            values.push(value.to_owned());
        }
        // The longest first: one secret may be the beginning of another.
        values.sort_by(|a, b| b.len().cmp(&a.len()).then(a.cmp(b)));
        values.dedup();
        let forms = FORMS.iter().map(|form| Regex::new(form).expect("the forms are valid"));
        Self { values, forms: forms.collect() }
    }

    /// The text with a mark in each secret's place.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for value in &self.values {
            if out.contains(value.as_str()) {
                out = out.replace(value.as_str(), REDACTED);
            }
        }
        for form in &self.forms {
            let kept = |found: &Captures<'_>| format!("{}{REDACTED}", &found[1]);
            if form.is_match(&out) {
                out = form.replace_all(&out, kept).into_owned();
            }
        }
        out
    }

    /// The same for every text in a JSON value.
    pub(crate) fn json(&self, value: &mut serde_json::Value) {
        use serde_json::Value;
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.json(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        let variables = [
            ("MY_SERVICE_TOKEN", "correct horse <battery> \"staple\""),
            ("HOME", "/home/somebody"),
            ("SHORT_KEY", "abc"),
        ];
        Redactor::of(variables.iter().map(|(name, value)| ((*name).into(), (*value).into())))
    }

    #[test]
    fn values_of_secret_variables_are_taken_out_in_every_form() {
        let redactor = redactor();
        let value = "correct horse <battery> \"staple\"";
        for text in [
            value.to_owned(),
            serde_json::json!({ "a": value }).to_string(),
            report::html::escaped(value),
        ] {
            let out = redactor.text(&text);
            assert!(!out.contains("battery") && out.contains(REDACTED), "{out}");
        }
        assert_eq!(redactor.text("/home/somebody abc"), "/home/somebody abc");
    }

    #[test]
    fn keys_are_known_by_their_form_and_other_words_are_left() {
        let redactor = redactor();
        for (text, left) in [
            ("x sk-proj-abcdefghijklmnop1234 y", "x [redacted] y"),
            ("ghp_abcdefghijklmnopqrst", "[redacted]"),
            ("AKIAABCDEFGHIJKLMNOP", "[redacted]"),
            (
                "Authorization: Bearer abcdefghijklmnop",
                "Authorization: [redacted] abcdefghijklmnop",
            ),
            ("--api-key=abcdefgh123", "--api-key=[redacted]"),
            ("postgres://me:hunter22@host/db", "postgres://[redacted]host/db"),
        ] {
            let out = redactor.text(text);
            assert!(out == left || !out.contains("abcdefghijklmnop"), "{text}: {out}");
            assert!(out.contains(REDACTED), "{text}: {out}");
        }
        for text in [
            "agentdojo/banking/user_task_0 mmu:strict+no-map basic training task-one",
            "desk-lamp and a risk-free-long-hyphenated-word",
            "https://example.org/path?q=1",
            "cell 0123456789abcdef0123456789abcdef",
        ] {
            assert_eq!(redactor.text(text), text);
        }
    }
}
