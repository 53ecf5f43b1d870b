//! The kernel: the one owner of counters, approvals and page ids.

use crate::{
    Ablations, Authority, Context, Counter, Crossing, Descriptor, Event, Executed, Fault,
    FaultKind, Flight, Form, KernelId, Method, PageId, Reason, Scope, Tenant,
    audit::AuditLog,
    catalogue::Catalogue,
    effects::{EffectLog, Flights},
    storage::Resources,
    table::Table,
};

/// Which of a value's holders decide about authority. Revocation is always judged over all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tie {
    /// One live holder with enough authority is enough: a value in trusted and in untrusted text
    /// is trusted.
    #[default]
    Exists,
    /// Every holder must have enough authority. An attacker who repeats the user's own payee then
    /// causes an ask.
    ForAll,
}

/// What an embedder may choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// The tie rule.
    pub tie: Tie,
    /// How values are traced.
    pub method: Method,
    /// How long an unused one-shot approval lives, in the units of `now`.
    pub approval_lifetime: u64,
    /// Keys the hashes of the index and of the calls. A number that an attacker cannot guess keeps him from choosing words
    /// that collide; it changes no decision.
    pub hash_seed: u64,
    /// Every check runs and is recorded, and none refuses: the arm for cost.
    pub observe: bool,
    /// The steps that are skipped, for comparison.
    pub ablations: Ablations,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            tie: Tie::Exists,
            method: Method::Exact,
            approval_lifetime: u64::MAX,
            hash_seed: 0x243f_6a88_85a3_08d3,
            observe: false,
            ablations: Ablations::NONE,
        }
    }
}

/// The protection kernel. It is never part of a checkpoint: nothing in it rolls back.
pub struct Kernel {
    pub(crate) id: KernelId,
    pub(crate) config: Config,
    pub(crate) table: Table,
    pub(crate) effects: EffectLog,
    pub(crate) flights: Flights,
    pub(crate) audit: AuditLog,
    pub(crate) catalogue: Catalogue,
    pub(crate) resources: Resources,
    /// The latest time that was ever told: what ended by then has ended for good.
    latest: u64,
}

/// What a revocation found. What happened before it cannot be undone here, only reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revocation {
    /// The page.
    pub page: PageId,
    /// Its counter from now on.
    pub counter: Counter,
    /// Calls that were carried out on values that trace to the page, oldest first.
    pub executed: Vec<Executed>,
    /// The representations that no longer come back as they were: those of the page itself, and
    /// what was stored of content that traces to it. In ascending order, each once.
    pub invalidated: Vec<(PageId, Form)>,
    /// Calls that were allowed on values that trace to the page and not dispatched yet, oldest
    /// first. Their dispatch is judged anew.
    pub in_flight: Vec<Flight>,
    /// How many approvals it voided, of all kinds.
    pub approvals_voided: usize,
    /// How many asks it took back that waited for an answer.
    pub asks_voided: usize,
}

impl Kernel {
    /// A kernel with the default configuration. `id` must be unique among the kernels whose
    /// content can meet.
    pub fn new(id: KernelId) -> Self {
        Self::with_config(id, Config::default())
    }

    /// A kernel with a configuration of its own.
    pub fn with_config(id: KernelId, config: Config) -> Self {
        Self {
            id,
            config,
            table: Table::new(id),
            effects: EffectLog::default(),
            flights: Flights::default(),
            audit: AuditLog::default(),
            catalogue: Catalogue::default(),
            resources: Resources::default(),
            latest: 0,
        }
    }

    /// The kernel's configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Opens an empty context for one tenant and one scope.
    pub fn open(&self, tenant: Tenant, scope: Scope) -> Context {
        Context::new(self.id, tenant, scope, self.config.hash_seed)
    }

    /// Opens an empty context for an agent whose owner is not there to be asked, such as a
    /// scheduled job: an ask is a refusal.
    pub fn open_unattended(&self, tenant: Tenant, scope: Scope) -> Context {
        let mut context = self.open(tenant, scope);
        context.attended = false;
        context
    }

    /// Time as it counts for what ends: it never runs backwards.
    pub(crate) fn tick(&mut self, now: u64) -> u64 {
        self.latest = self.latest.max(now);
        self.latest
    }

    /// The latest time that was told.
    pub(crate) fn latest(&self) -> u64 {
        self.latest
    }

    /// Gives a new page, for a resource that will be mapped more than once.
    pub fn page(&mut self) -> PageId {
        self.table.page()
    }

    /// Whether no page that the content was made from was revoked since.
    pub fn is_live(&self, descriptor: &Descriptor) -> bool {
        self.table.is_live(&descriptor.origins)
    }

    /// The authority that decides: the base while all origins are live, else Evidence.
    pub fn effective(&self, descriptor: &Descriptor) -> Authority {
        if self.is_live(descriptor) { descriptor.authority } else { Authority::Evidence }
    }

    /// Revokes a page: from now on nothing that was made from it supports a value, in any context,
    /// also where it is already in view. Only a tenant's human may cause this.
    ///
    /// # Errors
    ///
    /// A page that this kernel never gave out.
    pub fn revoke(&mut self, page: PageId) -> Result<Revocation, Fault> {
        let (counter, approvals_voided, asks_voided) = self.table.revoke(page).ok_or(Fault {
            kind: FaultKind::AddressSpaceViolation,
            crossing: Crossing::Map,
            reason: Reason::UnknownPage,
            page: Some(page),
            tool: None,
            place: None,
        })?;
        self.audit.push(self.latest, None, Event::Revoked { page });
        Ok(Revocation {
            page,
            counter,
            executed: self.effects.tracing_to(page),
            invalidated: self.catalogue.tracing_to(page),
            in_flight: self.flights.tracing_to(page),
            approvals_voided,
            asks_voided,
        })
    }

    /// The calls that were carried out, oldest first, as far as they are remembered.
    pub fn executed(&self) -> impl Iterator<Item = &Executed> {
        self.effects.kept()
    }
}
