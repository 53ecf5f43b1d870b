//! A headless Chromium, spoken to over its debugging pipe: JSON messages that end in a zero byte, on file
//! descriptors 3 (to it) and 4 (from it).

use std::fs::{File, OpenOptions};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

const NAMES: &[&str] =
    &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/// A running browser with one page.
pub(crate) struct Chromium {
    child: Child,
    to: File,
    from: BufReader<File>,
    session: Option<String>,
    number: u64,
    /// Events of the page so far.
    pub(crate) events: Vec<Value>,
}

/// The browser's command: `BENCH_CHROMIUM`, or one of the usual names.
pub(crate) fn command() -> Option<String> {
    let answers = |name: &String| {
        let version = Command::new(name).arg("--version").stdin(Stdio::null()).output();
        version.is_ok_and(|output| output.status.success())
    };
    let named = std::env::var("BENCH_CHROMIUM").ok();
    named.into_iter().chain(NAMES.iter().map(|name| (*name).to_owned())).find(answers)
}

impl Chromium {
    /// Starts it, with everything that it writes under `dir`.
    pub(crate) fn start(command: &str, dir: &Path) -> Self {
        let (to, from) = (dir.join("to"), dir.join("from"));
        let made = Command::new("mkfifo").args([&to, &from]).status().unwrap();
        assert!(made.success(), "mkfifo");
        let child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<\"$BENCH_TO\" 4>\"$BENCH_FROM\"", command])
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"])
            .args(["--no-first-run", "--disable-extensions", "--disable-background-networking"])
            .arg(format!("--user-data-dir={}", dir.join("profile").display()))
            .env("BENCH_TO", &to)
            .env("BENCH_FROM", &from)
            .env("HOME", dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = OpenOptions::new().write(true).open(&to).unwrap();
        let from = BufReader::new(File::open(&from).unwrap());
        let mut browser = Self { child, to, from, session: None, number: 0, events: Vec::new() };
        let target = browser.ask("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", &attach);
        browser.session = Some(session["sessionId"].as_str().unwrap().to_owned());
        for domain in ["Page", "Runtime", "Log", "Network", "Audits"] {
            browser.ask(&format!("{domain}.enable"), &json!({}));
        }
        browser
    }

    /// Calls a method and gives its result.
    pub(crate) fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let message = self.read();
            if message["id"] == self.number {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].clone();
            }
            self.events.push(message);
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.from.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser has gone");
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Opens a file and waits until it is loaded.
    pub(crate) fn open(&mut self, path: &Path) {
        self.events.clear();
        self.ask("Page.navigate", &json!({ "url": format!("file://{}", path.display()) }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            let event = self.read();
            self.events.push(event);
        }
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true });
        let answer = self.ask("Runtime.evaluate", &params);
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    /// Sets the window's size, and the theme that the reader prefers.
    pub(crate) fn look(&mut self, (width, height): (u32, u32), theme: &str, media: &str) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.ask("Emulation.setDeviceMetricsOverride", &size);
        let features = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.ask("Emulation.setEmulatedMedia", &json!({ "media": media, "features": features }));
    }

    /// A picture of the window, as base64.
    pub(crate) fn picture(&mut self) -> String {
        let answer = self.ask("Page.captureScreenshot", &json!({ "format": "png" }));
        answer["data"].as_str().unwrap().to_owned()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
