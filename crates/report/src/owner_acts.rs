//! What owners said unasked: approvals of content and in advance, grants, revocations, and how many of
//! them widened what had been approved.

use serde::Serialize;
use trace::rows::CellRow;

use crate::outcome::is_valid;

/// How often owners spoke of their own accord.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OwnerActs {
    /// Approvals of content.
    pub content: u64,
    /// Approvals in advance.
    pub standing: u64,
    /// Grants of content to another tenant.
    pub grants: u64,
    /// Revocations.
    pub revocations: u64,
    /// Those approvals and grants that cover more than the last for the same tool or page; null where
    /// no defense was told of any.
    pub widened: Option<u64>,
    /// Calls that went ahead on an approval in advance.
    pub calls_in_advance: u64,
}

impl OwnerActs {
    /// The sums over the valid cells; `None` where nothing of that kind happened.
    pub fn of<'c>(cells: impl IntoIterator<Item = &'c CellRow>) -> Option<Self> {
        let mut all = Self::default();
        for cell in cells.into_iter().filter(|cell| is_valid(cell)) {
            let figure = |figure: Option<u32>| u64::from(figure.unwrap_or_default());
            all.content += figure(cell.owner_content);
            all.standing += figure(cell.owner_standing);
            all.grants += figure(cell.owner_grants);
            all.revocations += figure(cell.owner_revocations);
            all.calls_in_advance += figure(cell.granted_in_advance);
            if let Some(widened) = cell.owner_widened {
                *all.widened.get_or_insert(0) += u64::from(widened);
            }
        }
        let Self { content, standing, grants, revocations, .. } = all;
        (content + standing + grants + revocations > 0).then_some(all)
    }
}
