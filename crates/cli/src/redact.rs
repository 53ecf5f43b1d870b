//! Secrets never reach a file: keys are known by their form and by the names of the variables that hold
//! them.

use regex_lite::{Captures, Regex};

/// What stands in a secret's place.
pub(crate) const REDACTED: &str = "[redacted]";

/// The shortest value of a variable that is taken for a secret: shorter ones are too common as words.
const SHORTEST: usize = 8;

/// The shortest that is of lower-case letters alone, as words are.
const SHORTEST_WORD: usize = 12;

/// Words in names of variables that hold secrets.
const NAMES: &[&str] = &[
    "APIKEY",
    "AUTH",
    "AUTHORIZATION",
    "BEARER",
    "COOKIE",
    "CREDENTIAL",
    "CREDENTIALS",
    "KEY",
    "KEYS",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PAT",
    "SECRET",
    "SECRETS",
    "TOKEN",
    "TOKENS",
];

/// Forms of keys that mean nothing else, each with what is kept of it in its first group.
const KEYS: &[&str] = &[
    r"()\b(?:sk|pk|rk)-[A-Za-z0-9_-]{16,}",
    r"()\b(?:gh[pousr]_|github_pat_|glpat-|hf_|xox[abeoprs]-|npm_)[A-Za-z0-9_-]{16,}",
    r"()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b",
    r"()\bAIza[A-Za-z0-9_-]{30,}",
    r"()\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*",
    r"((?i:\bauthorization\s*:\s*(?:bearer|basic)\s+))[A-Za-z0-9._~+/=-]{8,}",
    r"()-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----",
];

/// Forms that hold a secret in a setting or a command. In an episode they may be what an attack is
/// about, and stay.
const SETTINGS: &[&str] = &[
    r"((?i:\bbearer\s+))[A-Za-z0-9._~+/=-]{8,}",
    r#"((?i:\b(?:x-api-key|api[-_]?key|access[-_]?token|auth[-_]?token|secret[-_]?key|token|secret|password)["']?(?:\s*[=:]\s*|\s+)["']?))[^\s"'&,;<>]{6,}"#,
    r"(\b[A-Za-z][A-Za-z0-9+.-]*://)[^\s/@:]+:[^\s/@]+@",
];

/// Takes secrets out of texts.
pub(crate) struct Redactor {
    values: Vec<String>,
    keys: Vec<Regex>,
    settings: Vec<Regex>,
}

impl Redactor {
    /// Knows the secrets of this process's environment.
    pub(crate) fn from_env() -> Self {
        Self::of(std::env::vars_os().filter_map(|(name, value)| {
            Some((name.into_string().ok()?, value.into_string().ok()?))
        }))
    }

    fn of(variables: impl Iterator<Item = (String, String)>) -> Self {
        let word = |value: &str| value.bytes().all(|byte| byte.is_ascii_lowercase());
        let secret = |(name, value): &(String, String)| {
            let (name, value) = (name.to_ascii_uppercase(), value.trim());
            let long = if word(value) { SHORTEST_WORD } else { SHORTEST };
            value.len() >= long && name.split('_').any(|part| NAMES.contains(&part))
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
        let all = |forms: &[&str]| {
            forms.iter().map(|form| Regex::new(form).expect("the forms are valid")).collect()
        };
        Self { values, keys: all(KEYS), settings: all(SETTINGS) }
    }

    /// The text with a mark in each secret's place.
    pub(crate) fn text(&self, text: &str) -> String {
        let mut out = text.to_owned();
        for value in &self.values {
            if out.contains(value.as_str()) {
                out = out.replace(value.as_str(), REDACTED);
            }
        }
        replace(&self.keys, out)
    }

    /// The same for a setting or a command, where more can only be a secret.
    fn setting(&self, text: &str) -> String {
        replace(&self.settings, self.text(text))
    }

    /// The same for every setting in a JSON value.
    pub(crate) fn json(&self, value: &mut serde_json::Value) {
        use serde_json::Value;
        match value {
            Value::String(text) => *text = self.setting(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.json(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

fn replace(forms: &[Regex], mut text: String) -> String {
    for form in forms {
        let kept = |found: &Captures<'_>| format!("{}{REDACTED}", &found[1]);
        if form.is_match(&text) {
            text = form.replace_all(&text, kept).into_owned();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redactor() -> Redactor {
        let variables = [
            ("MY_SERVICE_TOKEN", "correct horse <battery> \"staple\""),
            ("HOME", "/home/somebody"),
            ("SHORT_KEY", "abc"),
            ("AUTH_METHOD", "password"),
            ("GIT_AUTHOR_NAME", "Some Author"),
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
        let others = "/home/somebody abc password Some Author";
        assert_eq!(redactor.text(others), others);
    }

    #[test]
    fn keys_are_known_by_their_form() {
        let redactor = redactor();
        for (text, left) in [
            ("x sk-proj-abcdefghijklmnop1234 y", "x [redacted] y"),
            ("ghp_abcdefghijklmnopqrst", "[redacted]"),
            ("AKIAABCDEFGHIJKLMNOP", "[redacted]"),
            ("Authorization: Bearer abcdefghijklmnop", "Authorization: Bearer [redacted]"),
        ] {
            assert_eq!(redactor.text(text), left);
            assert_eq!(redactor.setting(text), left);
        }
        for (text, left) in [
            ("--api-key=abcdefgh123", "--api-key=[redacted]"),
            ("--token abcdefgh123 x", "--token [redacted] x"),
            ("postgres://me:hunter22@host/db", "postgres://[redacted]host/db"),
        ] {
            assert_eq!(redactor.setting(text), left);
            assert_eq!(
                redactor.text(text),
                text,
                "in an episode it may be what an attack is about"
            );
        }
    }

    #[test]
    fn other_words_are_left() {
        let redactor = redactor();
        for text in [
            "agentdojo/banking/user_task_0 mmu:strict+no-map basic training task-one",
            "desk-lamp and a risk-free-long-hyphenated-word, a basic understanding",
            "https://example.org/path?q=1",
            "cell 0123456789abcdef0123456789abcdef",
            "world in [banking, slack] and kind != benign-control",
        ] {
            assert_eq!(redactor.setting(text), text);
        }
    }
}
