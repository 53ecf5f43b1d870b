//! What owners did of their own accord: a row for each, and how many there were.

use trace::event::{CallOutcome, Event, Rights, Terms};
use trace::rows::{ApprovalRow, CellRow};

use crate::executor::Course;

/// The kind of an act, as rows say it.
fn kind(act: &str) -> &str {
    match act {
        "approve" => "content",
        "allow" => "standing",
        other => other,
    }
}

/// A row for each thing that owners did of their own accord.
pub(crate) fn rows(course: &Course, cell_id: &str, first: usize) -> Vec<ApprovalRow> {
    let mut rows = Vec::new();
    for event in &course.record.events {
        let row = match event {
            Event::OwnerActed { act, widens, fault, terms } => ApprovalRow {
                kind: kind(act).to_owned(),
                reason: fault.as_ref().map(|fault| fault.reason.clone()).unwrap_or_default(),
                widens: *widens,
                decision: if fault.is_some() { "refused" } else { "granted" }.to_owned(),
                ..row(terms)
            },
            Event::Revoked { .. } => ApprovalRow {
                kind: "revocation".to_owned(),
                decision: "granted".to_owned(),
                ..ApprovalRow::default()
            },
            _ => continue,
        };
        let seq = u32::try_from(first + rows.len()).unwrap_or(u32::MAX);
        rows.push(ApprovalRow { cell_id: cell_id.to_owned(), seq, ..row });
    }
    rows
}

fn row(terms: &Terms) -> ApprovalRow {
    let scope = |rights: &Option<Rights>| rights.as_ref().map(|rights| rights.scope.clone());
    let authority =
        |rights: &Option<Rights>| rights.as_ref().map(|rights| rights.authority.clone());
    ApprovalRow {
        tool: terms.tool.clone(),
        channel: terms.channel.map(|channel| channel.as_str().to_owned()),
        scope_before: scope(&terms.before),
        scope_after: scope(&terms.after),
        authority_before: authority(&terms.before),
        authority_after: authority(&terms.after),
        uses: terms.uses,
        expires: terms.expires.map(|last| last.to_string()),
        ..ApprovalRow::default()
    }
}

/// Counts them in a cell's row, and the calls that went ahead on approvals in advance.
pub(crate) fn count(course: &Course, row: &mut CellRow) {
    if course.record.memory.is_none() {
        return;
    }
    let [mut content, mut standing, mut grants, mut revocations, mut in_advance] = [0; 5];
    let mut widened = None;
    for event in &course.record.events {
        match event {
            Event::OwnerActed { act, widens, fault: None, terms } => {
                match kind(act) {
                    "content" => content += 1,
                    "standing" => standing += 1,
                    "grant" => grants += 1,
                    _ => {}
                }
                if terms.mediated {
                    *widened.get_or_insert(0) += u32::from(*widens);
                }
            }
            Event::Revoked { .. } => revocations += 1,
            Event::Called { in_advance: Some(_), outcome, .. } => {
                in_advance += u32::from(!matches!(outcome, CallOutcome::Refused { .. }));
            }
            _ => {}
        }
    }
    row.owner_content = Some(content);
    row.owner_standing = Some(standing);
    row.owner_grants = Some(grants);
    row.owner_revocations = Some(revocations);
    row.owner_widened = widened;
    row.granted_in_advance = Some(in_advance);
}
