//! A context: the representations that one agent sees, for one owner and one scope.

mod liveness;

use std::collections::BTreeMap;

use crate::{
    ApprovalId, Authority, Descriptor, Digest, Extent, KernelId, Label, Origins, PageId, Scope,
    Source, Tenant,
    texts::{Span, Texts},
    trace::{self, Haystack, Index, Needle},
};

/// The longest text whose values are traced, in bytes; of longer ones, the start.
pub const MAX_TEXT: usize = 64 << 20;
/// How many representations most contexts hold.
const USUAL: usize = 32;

/// The handle of a representation in its context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(u32);

/// A representation at the door, with what the crossing that let it in knows of it.
pub(crate) struct Admission<'a> {
    pub(crate) page: PageId,
    pub(crate) descriptor: Descriptor,
    pub(crate) text: &'a str,
    /// The channel, for new content.
    pub(crate) source: Option<Source>,
    /// Whether its origins were live as it came in.
    pub(crate) live: bool,
    /// The grant that let it in, where one had to.
    pub(crate) grant: Option<ApprovalId>,
}

#[derive(Clone)]
struct Entry {
    descriptor: Descriptor,
    page: PageId,
    source: Option<Source>,
    was_live: bool,
    /// Where its text stands among the context's.
    text: Span,
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
#[derive(Clone)]
pub struct Context {
    pub(crate) kernel: KernelId,
    tenant: Tenant,
    scope: Scope,
    /// Whether somebody is there to be asked.
    pub(crate) attended: bool,
    label: Label,
    entries: Vec<Entry>,
    texts: Texts,
    /// The label's origins as copies share them, until something comes in.
    shared: Option<Origins>,
    /// What few entries have: the grant that let one in, the folded form of a text that is not
    /// ASCII, the digest of one that somebody asked for.
    grants: BTreeMap<u32, ApprovalId>,
    folded: BTreeMap<u32, Box<str>>,
    digests: BTreeMap<u32, Digest>,
    index: Index,
    turn: u32,
    seed: u64,
    /// Whether some text was longer than [`MAX_TEXT`].
    truncated: bool,
    dead: Option<liveness::Known>,
    evictions: u64,
    /// Room for the holders of a value, kept between calls.
    pub(crate) scratch: Vec<Holder>,
}

/// What becomes of a representation of a checkpoint.
pub(crate) enum Comeback {
    AsItWas,
    /// It lost its authority.
    Evidence,
    /// It may not be here any more.
    Nothing,
}

/// What holds a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Holder(u32);

impl Context {
    pub(crate) fn new(kernel: KernelId, tenant: Tenant, scope: Scope, seed: u64) -> Self {
        Self {
            kernel,
            tenant,
            scope,
            attended: true,
            label: Label::TOP,
            entries: Vec::new(),
            texts: Texts::default(),
            shared: None,
            grants: BTreeMap::new(),
            folded: BTreeMap::new(),
            digests: BTreeMap::new(),
            index: Index::new(seed),
            turn: 0,
            seed,
            truncated: false,
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
    #[inline]
    pub(crate) fn admit(&mut self, admission: Admission<'_>) -> EntryId {
        let Admission { page, descriptor, text, source, live, grant } = admission;
        let typed = source == Some(Source::Typed(self.tenant));
        self.turn += u32::from(typed);
        let id = EntryId(u32::try_from(self.entries.len()).expect("memory ends before 2^32 texts"));
        let mut end = text.len().min(MAX_TEXT);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        self.truncated |= end < text.len();
        let text = self.texts.push(&text[..end]);
        if self.entries.is_empty() {
            self.entries.reserve(USUAL);
        }
        if let Some(grant) = grant {
            self.grants.insert(id.0, grant);
        }
        self.entries.push(Entry {
            descriptor,
            page,
            source,
            was_live: live,
            text,
            turn: self.turn,
            typed,
            indexed: false,
            evicted: false,
        });
        self.shared = None;
        if let Some(entry) = self.entries.last() {
            self.label.lower(&entry.descriptor);
        }
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
        let text = self.texts.get(known.text);
        let folded = trace::folded(text);
        let policy = known.descriptor.authority == Authority::Policy;
        self.index.add(entry.0, text, folded.as_deref(), policy);
        if let Some(folded) = folded {
            self.folded.insert(entry.0, folded);
        }
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
            self.texts.forget(&mut known.text);
            self.folded.remove(&entry.0);
            self.digests.remove(&entry.0);
            if self.texts.is_mostly_gone() {
                self.rebuild();
            }
        }
    }

    /// Builds texts and index anew, so that a long-lived context neither grows without end nor keeps
    /// its postings full of what is gone.
    fn rebuild(&mut self) {
        let mut index = Index::new(self.seed);
        let mut texts = Texts::room_for(&self.texts);
        for (id, entry) in (0..).zip(&mut self.entries) {
            let text = self.texts.get(entry.text);
            entry.text = texts.push(text);
            if entry.is_holder() {
                let policy = entry.descriptor.authority == Authority::Policy;
                let folded = self.folded.get(&id).map(|folded| &**folded);
                index.add(id, text, folded, policy);
            }
        }
        self.index = index;
        self.texts = texts;
    }

    fn text_of(&self, entry: &Entry) -> &str {
        self.texts.get(entry.text)
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
                (!short || (policy && entry.turn == self.turn)).then_some(Haystack {
                    text: self.text_of(entry),
                    folded: self.folded.get(&id).map(|folded| &**folded),
                })
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

    /// The channel of a holder; `None` for what came back from storage.
    pub(crate) fn source(&self, holder: Holder) -> Option<Source> {
        self.entries[holder.0 as usize].source
    }

    /// The digest of a holder's text.
    pub(crate) fn digest(&mut self, holder: Holder) -> Digest {
        let text = self.entries[holder.0 as usize].text;
        let text = self.texts.get(text);
        *self.digests.entry(holder.0).or_insert_with(|| Digest::of(text))
    }

    pub(crate) fn holder(&self, entry: EntryId) -> Option<Holder> {
        self.entries.get(entry.0 as usize).map(|_| Holder(entry.0))
    }

    /// Whether it was opened by this kernel.
    pub(crate) fn is_of(&self, kernel: KernelId) -> bool {
        self.kernel == kernel
    }

    /// The page of a representation, also of an evicted one.
    pub fn page_of(&self, entry: EntryId) -> Option<PageId> {
        self.entries.get(entry.0 as usize).map(|entry| entry.page)
    }

    /// The text of a representation that the agent sees, or of a user turn.
    pub fn text(&self, entry: EntryId) -> Option<&str> {
        let entry = self.entries.get(entry.0 as usize)?;
        (!entry.evicted || entry.typed).then(|| self.text_of(entry))
    }

    pub(crate) fn is_typed(&self, entry: EntryId) -> bool {
        self.entries.get(entry.0 as usize).is_some_and(|entry| entry.typed)
    }

    /// What a model that writes in this context inherits: from everything ever admitted, or as an
    /// ablation has it, from what is in view.
    pub(crate) fn inherited(&self, accumulate: bool) -> Label {
        let mut label = Label::TOP;
        if accumulate {
            label = self.label.clone();
        } else {
            let seen = self.entries.iter().filter(|entry| !entry.evicted);
            seen.for_each(|entry| label.lower(&entry.descriptor));
        }
        label.scope = label.scope.meet(&self.default_scope());
        label
    }

    /// The scope of [`Self::inherited`] from everything ever admitted.
    pub(crate) fn inherited_scope(&self) -> Scope {
        self.label.scope.meet(&self.default_scope())
    }

    /// Where replies and memory may be used unless the harness says otherwise: this task, all
    /// sessions.
    #[inline]
    pub(crate) fn default_scope(&self) -> Scope {
        Scope { tasks: self.scope.tasks.clone(), sessions: Extent::All }
    }

    /// Brings every representation back after a restore: `judge` answers what becomes of it.
    pub(crate) fn readmit(
        &mut self,
        mut judge: impl FnMut(PageId, &Descriptor, Option<ApprovalId>) -> Comeback,
    ) {
        let mut stale = false;
        for at in 0..self.entries.len() {
            let id = EntryId(u32::try_from(at).unwrap_or(u32::MAX));
            let entry = &mut self.entries[at];
            match judge(entry.page, &entry.descriptor, self.grants.get(&id.0).copied()) {
                Comeback::AsItWas => {}
                Comeback::Evidence => {
                    stale |= entry.descriptor.authority != Authority::Evidence;
                    entry.descriptor.authority = Authority::Evidence;
                    self.label.authority = Authority::Evidence;
                    entry.was_live = false;
                }
                Comeback::Nothing => {
                    entry.typed = false;
                    self.evict(id);
                }
            }
        }
        self.dead = None;
        if stale {
            self.rebuild();
        }
    }

    /// A copy of [`Self::origins`] that all calls share until something comes in.
    pub(crate) fn shared_origins(&mut self) -> Origins {
        self.shared.get_or_insert_with(|| self.label.origins.clone()).clone()
    }

    /// The origins of everything ever admitted.
    pub fn origins(&self) -> &Origins {
        &self.label.origins
    }
}
