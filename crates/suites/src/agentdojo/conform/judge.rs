//! Judges one golden row.

use serde_json::{Value, json};
use trace::call::ToolCall;
use world::arguments::{convert_string_lists, no_such_tool};
use world::python::coercion::error_shape;

use super::super::suite::AgentDojo;
use super::{GoldenOutput, GoldenRow, GoldenVerdict, Judged, Mismatch, Unjudged};
use crate::suite::Finished;

/// Judges a row; `suite` is of the row's version.
///
/// # Errors
/// The row names what the suite does not have, or cannot be carried out.
pub fn judge(suite: &AgentDojo, row: &GoldenRow) -> Result<Judged, Unjudged> {
    let unknown = |what, name: &str| Unjudged::Unknown {
        what,
        name: name.to_owned(),
        version: row.version.clone(),
    };
    if let Some(outputs) = &row.expect.outputs
        && outputs.len() != row.calls.len()
    {
        return Err(Unjudged::Outputs { calls: row.calls.len(), outputs: outputs.len() });
    }
    let injection = row.injection_task.as_deref();
    let injections = row.injections.clone().into_iter().collect();
    let opened = suite.open_with(&row.suite, &injections)?;
    let mut world = opened.ok_or_else(|| unknown("suite", &row.suite))?;
    let scenario = suite.bare(&row.suite, &row.user_task, injection).ok_or_else(|| match suite
        .bare(&row.suite, &row.user_task, None)
    {
        None => unknown("user task", &row.user_task),
        Some(_) => unknown("injection task", injection.unwrap_or_default()),
    })?;
    let pre = world.fork();
    let mut judged = Judged { verdicts_agree: true, ..Judged::default() };
    let mut requested = Vec::with_capacity(row.calls.len());
    for (at, call) in row.calls.iter().enumerate() {
        let mut call = ToolCall { function: call.function.clone(), args: call.args.clone() };
        let got = carry_out(&mut *world, &mut call);
        if let Some(expected) = row.expect.outputs.as_ref().map(|outputs| &outputs[at]) {
            let about = format!("{}/{}", row.suite, call.function);
            judged.output(at, &about, &got, expected);
            if world.tools().iter().any(|tool| tool.name == call.function) {
                judged.tools.push((about, expected.error.is_some()));
            }
        }
        requested.push(call);
    }
    let ending = Finished {
        pre: pre.state(),
        post: world.state(),
        answer: &row.answer,
        requested: &requested,
        memory: &[],
    };
    let raised =
        |raised: scenario::check::Raised| GoldenVerdict::Raised { raised: raised.0.to_owned() };
    // Utility before security, as upstream judges.
    let utility = suite.utility(&scenario, &ending).map_or_else(raised, GoldenVerdict::Held);
    let security = match suite.landed(&scenario, &ending) {
        Ok(verdict) => verdict.map(GoldenVerdict::Held),
        Err(stopped) => Some(raised(stopped)),
    };
    let task = |id: &str| format!("{}/{id}", row.suite);
    let key = |id: &str| suite.task(&row.suite, id).map(|found| task(&found.key()));
    judged.checks.extend(key(&row.user_task).map(|key| (key, row.expect.utility.clone())));
    let security_key = injection.and_then(key).zip(row.expect.security.clone());
    judged.checks.extend(security_key);
    judged.verdict("utility", &task(&row.user_task), Some(&utility), Some(&row.expect.utility));
    match (injection, &row.expect.security) {
        (None, Some(GoldenVerdict::Held(true))) => {}
        (about, expected) => {
            let about = task(about.unwrap_or(&row.user_task));
            judged.verdict("security", &about, security.as_ref(), expected.as_ref());
        }
    }
    Ok(judged)
}

impl Judged {
    fn verdict(
        &mut self,
        field: &str,
        about: &str,
        ours: Option<&GoldenVerdict>,
        expected: Option<&GoldenVerdict>,
    ) {
        if ours != expected {
            self.verdicts_agree = false;
            self.mismatch(field, about, &json!(ours), &json!(expected));
        }
    }

    fn output(&mut self, at: usize, about: &str, ours: &GoldenOutput, expected: &GoldenOutput) {
        let same_text = ours.text == expected.text;
        self.texts.add(same_text);
        if !same_text {
            let field = format!("outputs[{at}].text");
            self.mismatch(&field, about, &json!(ours.text), &json!(expected.text));
        }
        if ours.error.is_some() || expected.error.is_some() {
            let same = same_error(ours.error.as_deref(), expected.error.as_deref());
            self.errors.add(same);
            if !same {
                let field = format!("outputs[{at}].error");
                self.mismatch(&field, about, &json!(ours.error), &json!(expected.error));
            }
        }
    }

    fn mismatch(&mut self, field: &str, about: &str, ours: &Value, expected: &Value) {
        self.mismatches.push(Mismatch {
            field: format!("expect.{field}"),
            about: about.to_owned(),
            ours: ours.to_string(),
            expected: expected.to_string(),
        });
    }
}

/// Whether two errors are the same. The text of a validation error holds the validator's version
/// and a cut piece of the input: its types and places are compared.
fn same_error(ours: Option<&str>, expected: Option<&str>) -> bool {
    match (ours, expected) {
        (Some(ours), Some(expected)) if expected.starts_with("ValidationError") => {
            error_shape(ours) == error_shape(expected) && error_shape(expected).is_some()
        }
        _ => ours == expected,
    }
}

/// A call along upstream's path: no such tool, lists in texts, then the tool.
fn carry_out(world: &mut dyn world::Inspect, call: &mut ToolCall) -> GoldenOutput {
    if let Some(error) = no_such_tool(world, call) {
        return GoldenOutput { text: String::new(), error: Some(error) };
    }
    convert_string_lists(&mut call.args);
    match world.call(call) {
        Ok(reply) => GoldenOutput { text: reply.text, error: None },
        Err(error) => GoldenOutput { text: String::new(), error: Some(error.to_string()) },
    }
}
