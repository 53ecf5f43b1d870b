//! A context: the representations that one agent sees, for one owner and one scope.

use crate::{
    Authority, Descriptor, KernelId, Label, Origins, PageId, Scope, Source, Tenant,
    table::Table,
    trace::{self, Haystack, Index, Needle},
};

/// The longest text whose values are traced, in bytes; of longer ones, the start.
pub const MAX_TEXT: usize = 64 << 20;
/// Below this many bytes, evicted texts are not cleared out of the index.
const MIN_REBUILD: usize = 64 << 10;

/// The handle of a representation in its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(u32);

struct Entry {
    descriptor: Descriptor,
    page: PageId,
    text: Box<str>,
    folded: Option<Box<str>>,
    /// The user's turn in which it came in.
    turn: u32,
    /// Whether it holds the typed words of the context's tenant: a user turn.
    typed: bool,
    indexed: bool,
    evicted: bool,
}

impl Entry {
    /// Whether its text supports, or taints, values: evicted user turns still do.
    fn is_holder(&self) -> bool {
        self.indexed && (!self.evicted || self.typed)
    }
}

/// A compartment, built for one tenant and one scope, with the label of everything that it ever
/// admitted.
pub struct Context {
    pub(crate) kernel: KernelId,
    tenant: Tenant,
    scope: Scope,
    label: Label,
    entries: Vec<Entry>,
    index: Index,
    turn: u32,
    seed: u64,
    /// Whether some text was longer than [`MAX_TEXT`].
    truncated: bool,
    evicted_bytes: usize,
    held_bytes: usize,
    /// What [`Self::any_dead`] answered, and for which state of table and context.
    dead: Option<([u64; 3], bool)>,
    evictions: u64,
    /// Room for the holders of a value, kept between calls.
    pub(crate) scratch: Vec<Holder>,
}

/// What holds a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holder(u32);

impl Context {
    pub(crate) fn new(kernel: KernelId, tenant: Tenant, scope: Scope, seed: u64) -> Self {
        let label = Label { scope: scope.clone(), ..Label::TOP };
        Self {
            kernel,
            tenant,
            scope,
            label,
            entries: Vec::new(),
            index: Index::new(seed),
            turn: 0,
            seed,
            truncated: false,
            evicted_bytes: 0,
            held_bytes: 0,
            dead: None,
            evictions: 0,
            scratch: Vec::new(),
        }
    }

    /// The tenant whose context it is.
    pub fn tenant(&self) -> Tenant {
        self.tenant
    }

    /// The scope for which it was built.
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The accumulated label: the meet over every representation ever admitted. Evicting raises
    /// nothing.
    pub fn label(&self) -> &Label {
        &self.label
    }

    /// The descriptor of a representation, also of an evicted one.
    pub fn descriptor(&self, entry: EntryId) -> Option<&Descriptor> {
        self.entries.get(entry.0 as usize).map(|entry| &entry.descriptor)
    }

    /// Takes a representation in; every crossing that lets content into a context ends here.
    pub(crate) fn admit(
        &mut self,
        source: Source,
        page: PageId,
        descriptor: Descriptor,
        text: &str,
    ) -> EntryId {
        self.label.lower(&descriptor);
        let typed = source == Source::Typed(self.tenant);
        self.turn += u32::from(typed);
        let id = EntryId(u32::try_from(self.entries.len()).expect("memory ends before 2^32 texts"));
        let mut end = text.len().min(MAX_TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.truncated |= end < text.len();
        self.entries.push(Entry {
            descriptor,
            page,
            text: text[..end].into(),
            folded: None,
            turn: self.turn,
            typed,
            indexed: false,
            evicted: false,
        });
        id
    }

    /// Makes the values of a representation traceable. A hook of its own, because it is what
    /// tracing costs: time grows with the text. A second call changes nothing.
    ///
    /// Text that is never indexed holds no value: calls that use its values are asked about.
    pub fn index(&mut self, entry: EntryId) {
        let Some(known) = self.entries.get_mut(entry.0 as usize) else { return };
        if known.indexed || known.evicted {
            return;
        }
        known.indexed = true;
        known.folded = trace::folded(&known.text);
        let policy = known.descriptor.authority == Authority::Policy;
        self.held_bytes += known.text.len();
        self.index.add(entry.0, &known.text, known.folded.as_deref(), policy);
    }

    /// Takes a representation out of the agent's view. Its values no longer count, unless it is a
    /// user turn; the accumulated label stays as it is.
    pub fn evict(&mut self, entry: EntryId) {
        let Some(known) = self.entries.get_mut(entry.0 as usize) else { return };
        if known.evicted {
            return;
        }
        known.evicted = true;
        self.evictions += 1;
        if !known.typed {
            if known.indexed {
                self.evicted_bytes += known.text.len();
            }
            known.text = Box::default();
            known.folded = None;
            self.rebuild_where_due();
        }
    }

    /// Builds the index anew once most of what it holds was evicted, so that a long-lived context
    /// neither grows without end nor keeps its postings full of what is gone.
    fn rebuild_where_due(&mut self) {
        if self.evicted_bytes < MIN_REBUILD || self.evicted_bytes * 2 < self.held_bytes {
            return;
        }
        self.index = Index::new(self.seed);
        self.held_bytes -= self.evicted_bytes;
        self.evicted_bytes = 0;
        for (id, entry) in (0..).zip(&self.entries) {
            if entry.is_holder() {
                let policy = entry.descriptor.authority == Authority::Policy;
                self.index.add(id, &entry.text, entry.folded.as_deref(), policy);
            }
        }
    }

    /// Fills `holders` with what holds the needle, in Policy texts of the current turn only where
    /// `short` says so. Answers whether the index left places out.
    pub(crate) fn holders(
        &self,
        needle: &Needle<'_>,
        short: bool,
        holders: &mut Vec<Holder>,
    ) -> bool {
        holders.clear();
        let capped = needle.search(
            &self.index,
            |id| {
                let entry = self.entries.get(id as usize).filter(|entry| entry.is_holder())?;
                let policy = entry.descriptor.authority == Authority::Policy;
                (!short || (policy && entry.turn == self.turn))
                    .then_some(Haystack { text: &entry.text, folded: entry.folded.as_deref() })
            },
            |id| holders.push(Holder(id)),
        );
        capped || self.truncated
    }

    /// The page of a holder.
    pub(crate) fn page(&self, holder: Holder) -> PageId {
        self.entries[holder.0 as usize].page
    }

    /// The descriptor of a holder.
    pub(crate) fn described(&self, holder: Holder) -> &Descriptor {
        &self.entries[holder.0 as usize].descriptor
    }

    /// A page in this context that was revoked: where the index left places out, a value may be
    /// held by it.
    pub(crate) fn any_dead(&mut self, table: &Table) -> bool {
        let state = [table.epoch(), self.entries.len() as u64, self.evictions];
        match self.dead {
            Some((known, dead)) if known == state => dead,
            _ => {
                let dead = self.entries.iter().any(|entry| {
                    (!entry.evicted || entry.typed) && !table.is_live(&entry.descriptor.origins)
                });
                self.dead = Some((state, dead));
                dead
            }
        }
    }

    /// The origins of everything ever admitted.
    pub fn origins(&self) -> &Origins {
        &self.label.origins
    }
}
