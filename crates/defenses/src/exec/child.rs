//! A child process: a line to it, a line from it, within a time.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{self, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::command::Command;

/// The longest line that is read from a child, in bytes.
const LINE_MAX: u64 = 1 << 20;

/// A child that was started. It is ended when it goes out of scope.
pub(super) struct Child {
    process: process::Child,
    questions: Sender<String>,
    answers: Receiver<Result<String, String>>,
    within: Duration,
    asked: u64,
}

impl Child {
    /// Starts the child. It gets `PATH` and `LANG` of the environment and nothing else: no key that
    /// lies there is its business. Its standard error is ours.
    pub(super) fn spawn(command: &Command) -> Result<Self, String> {
        let (program, arguments) = command.words().split_first().expect("a command has a word");
        let path = std::env::var_os("PATH").unwrap_or_default();
        let mut process = process::Command::new(program)
            .args(arguments)
            .env_clear()
            .env("PATH", path)
            .env("LANG", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| format!("it cannot be started: {}", error.kind()))?;
        let (questions, to_write) = channel();
        let (read, answers) = sync_channel(1);
        let stdin = process.stdin.take().expect("it is piped");
        let stdout = process.stdout.take().expect("it is piped");
        // Threads, since either end may block: a child that does not read, or does not answer.
        thread::spawn(move || write_lines(stdin, &to_write));
        thread::spawn(move || read_lines(stdout, &read));
        Ok(Self { process, questions, answers, within: command.within(), asked: 0 })
    }

    /// Sends one line and waits for one.
    pub(super) fn ask(&mut self, question: &Value) -> Result<String, String> {
        self.asked += 1;
        let ended = || "it ended".to_owned();
        self.questions.send(question.to_string()).map_err(|_| ended())?;
        match self.answers.recv_timeout(self.within) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no answer within {} ms", self.within.as_millis()))
            }
            Err(RecvTimeoutError::Disconnected) => Err(ended()),
        }
    }

    /// How many questions were asked: the number of the last one, the greeting's being 1.
    pub(super) fn asked(&self) -> u64 {
        self.asked
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It has nothing to save: an episode is over.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        // A child that is gone shows on the other stream.
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.write_all(b"\n")).is_err() {
            return;
        }
        let _ = stdin.flush();
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<Result<String, String>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut bytes = Vec::new();
        let line = match stdout.by_ref().take(LINE_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) if bytes.last() != Some(&b'\n') && bytes.len() as u64 == LINE_MAX => {
                Err(format!("a line of more than {LINE_MAX} bytes"))
            }
            Ok(_) => String::from_utf8(bytes).map_err(|_| "a line that is no UTF-8".to_owned()),
        };
        let last = line.is_err();
        if lines.send(line).is_err() || last {
            return;
        }
    }
}
