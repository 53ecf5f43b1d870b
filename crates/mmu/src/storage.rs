//! Tool-backed storage: what a tool wrote into a resource keeps its descriptor until it is read.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use crate::{
    Arrival, Call, Context, Deriver, Fault, Kernel, Label, Mapped, Origin, PageId, Tenant,
    call::scalars, trace,
};

/// The most resources whose writers are remembered one by one; of those beyond, the meet.
pub const MAX_RESOURCES: usize = 65_536;
/// The most spellings of one resource that are remembered one by one.
const MAX_SPELLINGS: usize = 16;

/// What a tool does to a resource. An argument is its key; a list in it names several resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// Its reply holds the resource.
    Read {
        /// The argument.
        key: Arc<str>,
    },
    /// It writes the resource anew.
    Replace {
        /// The argument.
        key: Arc<str>,
    },
    /// It adds to the resource.
    Append {
        /// The argument.
        key: Arc<str>,
    },
    /// It copies or renames one resource to another.
    Copy {
        /// The argument that names the source.
        from: Arc<str>,
        /// The argument that names the target.
        to: Arc<str>,
    },
}

/// The half of a tool's schema that says which resource it reads or writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceRule {
    /// The tool's name.
    pub tool: Arc<str>,
    /// The kind of resource, such as `file`: equal keys of one space are one resource.
    pub space: Arc<str>,
    /// What it does.
    pub access: Access,
}

#[derive(Default)]
pub(crate) struct Resources {
    rules: HashMap<Arc<str>, ResourceRule>,
    known: HashMap<(Arc<str>, String), Resource>,
    /// By space: what was written beyond [`MAX_RESOURCES`], and what may have gone anywhere.
    rest: HashMap<Arc<str>, Written>,
}

/// What is known of a resource's content: what it inherits, and in whose contexts it was written.
#[derive(Clone)]
pub(crate) struct Written {
    pub(crate) label: Label,
    pub(crate) tenants: BTreeSet<Tenant>,
}

impl Written {
    fn meet(mut self, other: &Self) -> Self {
        self.label = self.label.meet(&other.label);
        self.tenants.extend(&other.tenants);
        self
    }
}

#[derive(Default)]
struct Resource {
    page: Option<PageId>,
    /// By the key as it was sent. Two spellings may or may not be one resource of the world, so
    /// none of them covers another up, and a read takes the meet of all.
    writers: BTreeMap<String, Written>,
    /// What was written under spellings beyond [`MAX_SPELLINGS`]: nothing covers it up.
    floor: Option<Written>,
}

impl Resource {
    fn written(&self) -> Option<Written> {
        let all = self.writers.values().chain(&self.floor);
        all.cloned().reduce(|all, one| all.meet(&one))
    }
}

/// The form in which keys are one resource: letters without case, and paths without detours.
fn folded(key: &str) -> String {
    let key = trace::fold(key).replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in key.trim().split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// The resources that an argument of a call names; `None` where that cannot be told, and it may be
/// any: left out, not a text, or too many.
fn keys(call: &Call<'_>, argument: &str) -> Option<Vec<String>> {
    let mut keys = Vec::new();
    for (_, value) in call.arguments.iter().filter(|(name, _)| **name == *argument) {
        let values = scalars(value);
        if values.is_empty() {
            return None;
        }
        for value in values {
            keys.push(value.text()?.0.to_owned());
        }
    }
    (!keys.is_empty()).then_some(keys)
}

impl Resources {
    /// What was written into a resource, as far as the kernel saw it.
    fn written(&self, space: &Arc<str>, key: &str) -> Option<Written> {
        let known = self.known.get(&(space.clone(), folded(key))).and_then(Resource::written);
        match (known, self.rest.get(space)) {
            (Some(known), Some(rest)) => Some(known.meet(rest)),
            (known, rest) => known.or_else(|| rest.cloned()),
        }
    }

    /// What was written into any of these, or into anything of the space.
    fn written_any(&self, space: &Arc<str>, keys: Option<&[String]>) -> Option<Written> {
        let meet = |all: Written, one: Written| all.meet(&one);
        if let Some(keys) = keys {
            return keys.iter().filter_map(|key| self.written(space, key)).reduce(meet);
        }
        let known = self.known.iter().filter(|((known, _), _)| known == space);
        let known = known.filter_map(|(_, resource)| resource.written());
        known.chain(self.rest.get(space).cloned()).reduce(meet)
    }

    fn write_anywhere(&mut self, space: &Arc<str>, written: &Written) {
        let rest =
            self.rest.remove(space).map_or_else(|| written.clone(), |rest| rest.meet(written));
        self.rest.insert(space.clone(), rest);
    }

    fn write(&mut self, space: &Arc<str>, key: &str, written: Written) {
        let place = (space.clone(), folded(key));
        if self.known.len() >= MAX_RESOURCES && !self.known.contains_key(&place) {
            return self.write_anywhere(space, &written);
        }
        let resource = self.known.entry(place).or_default();
        resource.writers.insert(key.to_owned(), written);
        if resource.writers.len() > MAX_SPELLINGS
            && let Some((_, dropped)) = resource.writers.pop_first()
        {
            let floor = resource.floor.take();
            resource.floor = Some(floor.map_or_else(|| dropped.clone(), |old| old.meet(&dropped)));
        }
    }

    /// The page of a resource, where it has one already.
    fn page(&self, space: &Arc<str>, key: &str) -> Option<PageId> {
        self.known.get(&(space.clone(), folded(key))).and_then(|resource| resource.page)
    }

    fn set_page(&mut self, space: &Arc<str>, key: &str, page: PageId) {
        let place = (space.clone(), folded(key));
        if self.known.len() < MAX_RESOURCES || self.known.contains_key(&place) {
            self.known.entry(place).or_default().page = Some(page);
        }
    }
}

impl Kernel {
    /// Says which resource a tool reads or writes: the schema's other half. One rule a tool; the
    /// last one counts.
    pub fn declare(&mut self, rule: ResourceRule) {
        self.resources.rules.insert(rule.tool.clone(), rule);
    }

    /// Lets a tool's reply into a context, as [`Self::map`] does. Where the tool reads a declared
    /// resource, the reply is that resource's page, and its label the meet of its channel's and
    /// of whatever was written there. The harness stamps the channel: an instruction file that is
    /// read by a tool is still one.
    ///
    /// # Errors
    ///
    /// As [`Self::map`]; and where the resource was last written in another tenant's context, or
    /// in a scope that does not cover this one, and no live grant covers its page.
    pub fn reply(
        &mut self,
        context: &mut Context,
        call: &Call<'_>,
        arrival: impl Into<Arrival>,
        text: &str,
    ) -> Result<Mapped, Fault> {
        let mut arrival = arrival.into();
        let rule = self.resources.rules.get(call.tool);
        let Some(ResourceRule { space, access: Access::Read { key }, .. }) = rule.cloned() else {
            return self.enter(context, &arrival, text, None);
        };
        let keys = keys(call, &key);
        let mut label = self.resources.written_any(&space, keys.as_deref());
        if self.config.ablations.no_tool_storage {
            label = None;
        }
        let single = keys.as_deref().and_then(|keys| keys.first().filter(|_| keys.len() == 1));
        if arrival.page.is_none() {
            arrival.page = single.and_then(|key| self.resources.page(&space, key));
        }
        let mapped = self.enter(context, &arrival, text, label.as_ref())?;
        if let Some(key) = single {
            self.resources.set_page(&space, key, mapped.page);
        }
        Ok(mapped)
    }

    /// The page of a resource, where it was read before.
    pub fn resource(&self, space: &Arc<str>, key: &str) -> Option<PageId> {
        self.resources.page(space, key)
    }

    /// Keeps the descriptor of what a dispatched call writes: a model's, from everything that its
    /// context ever admitted.
    pub(crate) fn wrote(&mut self, context: &Context, call: &Call<'_>) {
        let Some(rule) = self.resources.rules.get(call.tool).cloned() else { return };
        let ResourceRule { space, access, .. } = rule;
        let (from, to, keep) = match &access {
            Access::Read { .. } => return,
            Access::Replace { key } => (None, key, false),
            Access::Append { key } => (None, key, true),
            Access::Copy { from, to } => (Some(from), to, false),
        };
        let label = self.inherit(context, Deriver::Model, &[]);
        let mut new = Written { label, tenants: BTreeSet::from([context.tenant()]) };
        if let Some(from) = from {
            let sources = keys(call, from);
            if let Some(old) = self.resources.written_any(&space, sources.as_deref()) {
                new = new.meet(&old);
            }
            for key in sources.unwrap_or_default() {
                if let Some(page) = self.resources.page(&space, &key) {
                    let recorded = self.table.counter(page).unwrap_or_default();
                    new.label.origins = new.label.origins.with(Origin { page, recorded });
                }
            }
        }
        let Some(targets) = keys(call, to) else {
            return self.resources.write_anywhere(&space, &new);
        };
        for key in targets {
            let old = self.resources.written(&space, &key).filter(|_| keep);
            let new = old.map_or_else(|| new.clone(), |old| old.meet(&new));
            self.resources.write(&space, &key, new);
        }
    }
}
