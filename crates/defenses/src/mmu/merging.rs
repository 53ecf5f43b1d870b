//! What becomes of labels where a harness makes several records one.

use clawmmu::{Authority, Deriver, Descriptor, Representation};
use trace::event::{Crossing, Fault};

use super::Mmu;

/// What becomes of the labels where a harness makes several records one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Merging {
    /// They stay apart where they differ: no model's words take the place of what counts for more,
    /// be it the owner's or approved by him.
    #[default]
    Never,
    /// The joint record inherits from all of them, as everything that is derived does: it counts as
    /// the least of them. Nothing is lifted, and what the owner wrote is lowered.
    Least,
    /// The joint record has the label of the highest of them, and that one's origins alone. This is a
    /// fault that is really made, not a defense: what it is joined to lifts it.
    Highest,
}

impl Mmu {
    /// Whether these records may become one, and what is to be noted of it.
    pub(super) fn merge(&self, of: &[u32]) -> Result<Option<Fault>, Fault> {
        let parts: Vec<&Representation> =
            of.iter().filter_map(|record| self.records.get(record)).collect();
        let authorities = || parts.iter().map(|part| part.descriptor.authority);
        let differ = authorities().min() != authorities().max();
        let note = differ.then_some(match self.setting.merging {
            Merging::Never => "DifferentAuthority",
            Merging::Least => "LeastAuthority",
            Merging::Highest => "HighestAuthority",
        });
        let note = note.map(|reason| Fault {
            crossing: Crossing::Derive,
            name: "Merge".to_owned(),
            reason: reason.to_owned(),
            page: None,
            channel: None,
            argument: None,
        });
        if self.setting.merging != Merging::Never || parts.len() < 2 {
            return Ok(note);
        }
        // Evidence among them is a model's or a stranger's: it replaces nothing above it.
        let by = match authorities().min() {
            Some(Authority::Evidence) => Deriver::Model,
            _ => Deriver::Harness,
        };
        let stays = parts.iter().find_map(|part| self.kernel.may_remove(part, by).err());
        let stays = stays.map(|fault| self.crossing_fault(Crossing::Derive, &fault));
        match stays.or(note) {
            Some(fault) if !self.setting.observe => Err(fault),
            noted => Ok(noted),
        }
    }

    /// The labels that what is made of these records inherits.
    pub(super) fn labels(&self, of: &[u32]) -> Vec<Descriptor> {
        let parts = of.iter().filter_map(|record| self.records.get(record));
        let mut labels: Vec<Descriptor> = parts.map(|part| part.descriptor.clone()).collect();
        if self.setting.merging == Merging::Highest {
            let highest = labels.iter().map(|label| label.authority).max();
            labels.retain(|label| Some(label.authority) == highest);
        }
        labels
    }
}
