//! A kernel, a context and short words for what attackers and owners do.

use std::borrow::Cow;

use clawmmu::{
    Access, ApprovalId, ArgumentRule, Authority, Call, Claim, Config, Content, ContentApproval,
    Context, Derived, Deriver, Descriptor, Effect, EntryId, Fault, Form, Grant, Kernel, KernelId,
    Kind, Mapped, PageId, Representation, ResourceRule, Schema, Scope, Source, Standing, Target,
    Tenant, Value, Write,
};

pub(crate) const OWNER: Tenant = Tenant(1);
pub(crate) const OTHER: Tenant = Tenant(2);
pub(crate) const USER: Source = Source::Typed(OWNER);
pub(crate) const EVIL: &str = "evil@x.com";
pub(crate) const GOOD: &str = "good@b.co";

/// An attack: whether it landed, under a configuration.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    /// The ablations under which it lands.
    pub(crate) opened_by: &'static [&'static str],
    pub(crate) lands: fn(&mut Lab) -> bool,
}

pub(crate) fn attack(
    name: &'static str,
    opened_by: &'static [&'static str],
    lands: fn(&mut Lab) -> bool,
) -> Attack {
    Attack { name, opened_by, lands }
}

/// What lands where nothing is checked when a call goes out.
pub(crate) const ACTS: &[&str] = &["labels-as-text"];
pub(crate) const NOTHING: &[&str] = &[];

pub(crate) struct Lab {
    pub(crate) kernel: Kernel,
    pub(crate) context: Context,
    pub(crate) now: u64,
    /// Whether every check is on, so that what is allowed and what is not is known.
    strict: bool,
}

pub(crate) type Argument<'a> = (Cow<'a, str>, Value<'a>);

pub(crate) fn argument<'a>(name: &'a str, value: &'a str) -> Argument<'a> {
    (name.into(), Value::Text(value.into()))
}

/// `pay`: to whom, how much, and free words.
pub(crate) fn payment(required: Authority) -> Schema {
    let secured =
        |kind| ArgumentRule::Secured { required, kind, absent_safe: true, safe_values: Vec::new() };
    Schema {
        tool: "pay".into(),
        effect: Effect::Irreversible,
        arguments: vec![
            ("to".into(), ArgumentRule::secured(required, Kind::Address)),
            ("amount".into(), secured(Kind::Amount)),
            ("link".into(), secured(Kind::Url)),
            ("path".into(), secured(Kind::Path)),
            ("note".into(), ArgumentRule::Free),
        ],
    }
}

pub(crate) fn pay<'a>(to: &'a str, amount: &'a str) -> Vec<Argument<'a>> {
    vec![argument("to", to), argument("amount", amount)]
}

/// `read_file`, `write_file`, `append_file`, `copy_file`: everything in them is free.
fn file_tool(tool: &str) -> Schema {
    let effect = if tool == "read_file" { Effect::Read } else { Effect::Write };
    let free = |name: &str| (name.into(), ArgumentRule::Free);
    let arguments = ["path", "from", "to", "content"].map(free).into();
    Schema { tool: tool.into(), effect, arguments }
}

impl Lab {
    pub(crate) fn new(config: Config) -> Self {
        let mut kernel = Kernel::with_config(KernelId(3), config);
        let key = || "path".into();
        for (tool, access) in [
            ("read_file", Access::Read { key: key() }),
            ("write_file", Access::Replace { key: key() }),
            ("append_file", Access::Append { key: key() }),
            ("copy_file", Access::Copy { from: "from".into(), to: "to".into() }),
        ] {
            kernel.declare(ResourceRule { tool: tool.into(), space: "file".into(), access });
        }
        let context = kernel.open(OWNER, Scope::of(1, 1));
        let strict = config == Config::default();
        Self { kernel, context, now: 100, strict }
    }

    /// What must hold beside the attack: that the rightful use still works.
    pub(crate) fn sure(&self, held: bool) {
        assert!(held || !self.strict, "the rightful use must still work");
    }

    /// A fresh context of the owner's, in the same task and another session.
    pub(crate) fn reopen(&mut self) {
        self.context = self.kernel.open(OWNER, Scope::of(1, 2));
    }

    pub(crate) fn enter(&mut self, tenant: Tenant, scope: Scope) {
        self.context = self.kernel.open(tenant, scope);
    }

    pub(crate) fn add(&mut self, source: Source, text: &str) -> Mapped {
        let mapped = self.kernel.map(&mut self.context, source, text).expect("it may enter");
        self.context.index(mapped.entry);
        mapped
    }

    pub(crate) fn user(&mut self, text: &str) -> Mapped {
        self.add(USER, text)
    }

    pub(crate) fn web(&mut self, text: &str) -> Mapped {
        self.add(Source::Web, text)
    }

    pub(crate) fn descriptor(&self, entry: EntryId) -> Descriptor {
        self.context.descriptor(entry).expect("it is in the context").clone()
    }

    pub(crate) fn authority(&mut self, entry: EntryId) -> Authority {
        self.kernel.effective_in(&mut self.context, entry).expect("it is in the context")
    }

    /// A harness transform of these entries.
    pub(crate) fn transform(&mut self, entries: &[EntryId], text: &str) -> Representation {
        self.write(Deriver::Harness, entries, Target::New, text).representation
    }

    /// A model's write.
    pub(crate) fn model_writes(&mut self, text: &str) -> Representation {
        self.write(Deriver::Model, &[], Target::New, text).representation
    }

    pub(crate) fn write(
        &mut self,
        by: Deriver,
        entries: &[EntryId],
        target: Target<'_>,
        text: &str,
    ) -> Derived {
        let inputs: Vec<Descriptor> = entries.iter().map(|entry| self.descriptor(*entry)).collect();
        let inputs: Vec<&Descriptor> = inputs.iter().collect();
        let write =
            Write { by, inputs: &inputs, form: Form::Full, target, claimed: Claim::default() };
        self.kernel.derive(&self.context, &write, text)
    }

    /// Brings it back; the entry, and whether the kernel objected.
    pub(crate) fn reload(
        &mut self,
        representation: &Representation,
        text: &str,
    ) -> Result<(EntryId, bool), Fault> {
        let content = Content::from(text);
        let back = self.kernel.reload(&mut self.context, representation, content, self.now)?;
        self.context.index(back.mapped.entry);
        Ok((back.mapped.entry, back.fault.is_some()))
    }

    pub(crate) fn revoke(&mut self, page: PageId) {
        self.kernel.revoke(page).expect("the kernel gave it out");
    }

    /// Whether the call goes out.
    pub(crate) fn sends(&mut self, arguments: &[Argument<'_>]) -> bool {
        self.sends_at(Authority::Policy, arguments)
    }

    pub(crate) fn sends_at(&mut self, required: Authority, arguments: &[Argument<'_>]) -> bool {
        let (schema, call) = (payment(required), Call { tool: "pay", arguments });
        self.kernel.dispatch(&mut self.context, &call, Some(&schema), self.now).is_ok()
    }

    /// The owner is asked about the call and approves it.
    pub(crate) fn approve(&mut self, arguments: &[Argument<'_>]) {
        let (schema, call) = (payment(Authority::Policy), Call { tool: "pay", arguments });
        self.kernel.authorize(&mut self.context, &call, Some(&schema), self.now);
        // Where nothing is checked, nothing is asked.
        let _ = self.kernel.approve(&self.context, &call, self.now);
    }

    pub(crate) fn approve_content(
        &mut self,
        entry: EntryId,
        shown: &str,
        values: Option<&[&str]>,
    ) -> Result<ApprovalId, Fault> {
        let scope = Scope::of(1, 1);
        let ceiling = Authority::Policy;
        let approval = ContentApproval { shown, values, ceiling, scope: &scope };
        self.kernel.approve_content(&self.context, entry, approval, self.now)
    }

    pub(crate) fn in_advance(&mut self, standing: Standing) -> ApprovalId {
        self.kernel.approve_in_advance(standing, self.now).expect("its page is known")
    }

    /// Pages of [`OTHER`] for [`OWNER`], accepted.
    pub(crate) fn granted(&mut self, page: PageId, expires: Option<u64>) -> ApprovalId {
        let ceiling = Some(Authority::Policy);
        let grant = Grant { from: OTHER, to: OWNER, pages: vec![page], ceiling, expires };
        let id = self.kernel.offer(grant, self.now);
        self.kernel.accept(id, OWNER, self.now).expect("it was offered");
        id
    }

    /// The model calls a file tool, and the world carries it out.
    pub(crate) fn file(&mut self, tool: &str, arguments: &[Argument<'_>]) {
        let (schema, call) = (file_tool(tool), Call { tool, arguments });
        let sent = self.kernel.dispatch(&mut self.context, &call, Some(&schema), self.now);
        sent.expect("everything in it is free");
    }

    /// A file is read, through this channel.
    pub(crate) fn read(&mut self, path: &str, source: Source, text: &str) -> Result<Mapped, Fault> {
        let arguments = [argument("path", path)];
        let call = Call { tool: "read_file", arguments: &arguments };
        let mapped = self.kernel.reply(&mut self.context, &call, source, text)?;
        self.context.index(mapped.entry);
        Ok(mapped)
    }

    /// Saves the context and all that a checkpoint holds, does something, and restores.
    pub(crate) fn rolled_back(&mut self, between: impl FnOnce(&mut Self)) {
        let saved = self.kernel.checkpoint(&self.context);
        between(self);
        self.context = self.kernel.restore(&saved, self.now).context;
    }
}
