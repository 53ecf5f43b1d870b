//! The judgement of a call: every argument, key and value against the schema and the context.

use std::sync::Arc;

use crate::{
    ArgumentRule, Authority, Call, Config, Context, Effect, Evidence, Kind, LeafFault, Method,
    Origins, PageId, Part, Place, Reason, SafeValue, Schema, Tie, Value, content,
    context::Holder,
    kernel::Kernel,
    table::{Binding, OneShot, Table},
    trace::{self, Sought},
};

/// The most values of a call that are looked at.
pub const MAX_LEAVES: usize = 512;
/// The deepest nesting of a value that is looked at.
pub const MAX_DEPTH: usize = 16;

/// What was found out about a call.
#[derive(Default)]
pub(crate) struct Judgement {
    pub(crate) faults: Vec<LeafFault>,
    pub(crate) leaves: Vec<Place>,
    pub(crate) evidence: Vec<Evidence>,
    /// What holds values of the call, live or not, each with the number of its leaf.
    holders: Vec<(usize, Holder)>,
    /// Whether more may hold them: the index left places out.
    pub(crate) capped: bool,
}

impl Judgement {
    pub(crate) fn bind(&self, table: &Table, context: &Context) -> Binding {
        let origins = self.holders.iter().map(|&(_, holder)| &context.described(holder).origins);
        table.bind(origins, self.capped)
    }

    /// What holds the value at this place.
    pub(crate) fn holders_at(&self, place: &Place) -> impl Iterator<Item = Holder> {
        let leaf = self.leaves.iter().position(|leaf| leaf == place);
        let all = self.holders.iter();
        all.filter(move |(at, _)| Some(*at) == leaf).map(|(_, holder)| *holder)
    }

    /// What the call's values trace to; where more may hold them than the index told, everything
    /// that the context ever admitted.
    pub(crate) fn origins(&self, context: &mut Context) -> Origins {
        if self.capped {
            return context.shared_origins();
        }
        let mut origins = Origins::NONE;
        for &(_, holder) in &self.holders {
            origins.absorb(&context.described(holder).origins);
        }
        origins
    }

    /// The effective authority of a page that holds a value: Evidence where it was revoked.
    pub(crate) fn authority_of(&self, page: Option<PageId>) -> Option<Authority> {
        let page = page?;
        let live = self.evidence.iter().filter(|evidence| evidence.page == page);
        Some(live.map(|evidence| evidence.authority).max().unwrap_or(Authority::Evidence))
    }
}

impl Kernel {
    /// Whether an approval still covers a call: not expired, nothing that it bound was revoked
    /// since, and no revoked page holds a value of it now that did not then.
    pub(crate) fn approval_stands(
        &self,
        approval: &OneShot,
        judgement: &Judgement,
        context: &Context,
        now: u64,
    ) -> bool {
        let age = now.checked_sub(approval.given);
        age.is_some_and(|age| age <= self.config.approval_lifetime)
            && self.table.holds(&approval.binding)
            && judgement.holders.iter().all(|&(_, holder)| {
                approval.binding.names(context.page(holder))
                    || context.is_live(holder, &self.table, !self.config.ablations.no_recheck)
            })
    }
}

pub(crate) fn judge(
    table: &Table,
    config: &Config,
    context: &mut Context,
    call: &Call<'_>,
    schema: Option<&Schema>,
) -> Judgement {
    let mut judge = Judge {
        table,
        tie: config.tie,
        method: config.method,
        recheck: !config.ablations.no_recheck,
        found: std::mem::take(&mut context.scratch),
        context,
        present: 0,
        looked: 0,
        judgement: Judgement::default(),
    };
    match schema {
        Some(schema) if *schema.tool == *call.tool => judge.call(call, schema),
        _ => judge.whole(Reason::UnknownTool),
    }
    judge.context.scratch = judge.found;
    judge.judgement
}

struct Judge<'a> {
    table: &'a Table,
    tie: Tie,
    method: Method,
    /// Whether liveness is read now, and not as it was at entry.
    recheck: bool,
    context: &'a mut Context,
    /// The holders of the value at hand.
    found: Vec<Holder>,
    /// Secured values in the call that the schema does not vouch for.
    present: usize,
    looked: usize,
    judgement: Judgement,
}

/// A secured argument's rule.
#[derive(Clone, Copy)]
struct Need<'a> {
    required: Authority,
    kind: Kind,
    safe_values: &'a [SafeValue],
}

/// Where the walk stands.
#[derive(Clone, Copy)]
struct Spot<'a> {
    argument: Option<&'a Arc<str>>,
    field: Option<&'a Arc<str>>,
    position: usize,
    depth: usize,
    /// Whether the value stands right behind its name, and not in a list.
    named: bool,
}

impl<'a> Spot<'a> {
    fn argument(argument: Option<&'a Arc<str>>, position: usize) -> Self {
        Self { argument, field: None, position, depth: 0, named: true }
    }
}

impl Judge<'_> {
    fn call(&mut self, call: &Call<'_>, schema: &Schema) {
        if call.arguments.len() > MAX_LEAVES {
            return self.whole(Reason::TooLarge);
        }
        for (position, (name, value)) in call.arguments.iter().enumerate() {
            let rule = schema.arguments.iter().find(|(known, _)| **known == **name);
            let argument = rule.map(|(name, _)| name);
            let spot = Spot::argument(argument, position);
            let mut leaf = 0;
            if call.arguments[..position].iter().any(|(earlier, _)| earlier == name) {
                self.fault(spot, leaf, Part::Whole, Reason::Repeated, None);
            } else if let Some((_, rule)) = rule {
                self.value(spot, rule, value, &mut leaf);
            } else {
                self.fault(spot, leaf, Part::Whole, Reason::Unlisted, None);
            }
            if self.looked > MAX_LEAVES {
                return self.whole(Reason::TooLarge);
            }
        }
        for (position, (name, rule)) in schema.arguments.iter().enumerate() {
            let absent = call.arguments.iter().all(|(sent, _)| **sent != **name);
            if absent && !rule.absence_is_safe() {
                let spot = Spot::argument(Some(name), position);
                self.fault(spot, 0, Part::Whole, Reason::AbsenceUnsafe, None);
            }
        }
        if schema.effect >= Effect::External && self.present == 0 {
            self.whole(Reason::Trigger);
        }
    }

    fn value(&mut self, spot: Spot<'_>, rule: &ArgumentRule, value: &Value<'_>, leaf: &mut usize) {
        let at = *leaf;
        self.looked += 1;
        if self.looked > MAX_LEAVES {
            return;
        }
        if spot.depth > MAX_DEPTH {
            return self.fault(spot, at, Part::Whole, Reason::TooLarge, None);
        }
        let inner = Spot { depth: spot.depth + 1, named: false, ..spot };
        match (rule, value) {
            (ArgumentRule::Free, _) => {}
            (_, Value::Null) if spot.named => self.absent(spot, rule, at),
            (_, Value::List(items)) if items.is_empty() => self.absent(spot, rule, at),
            (_, Value::List(items)) => {
                for item in items {
                    self.value(inner, rule, item, leaf);
                }
            }
            (ArgumentRule::Fields { fields, .. }, Value::Object(sent)) => {
                self.object(inner, fields, sent, leaf);
            }
            (ArgumentRule::Secured { required, kind, safe_values, .. }, scalar)
                if !matches!(scalar, Value::Object(_)) =>
            {
                let need = Need { required: *required, kind: *kind, safe_values };
                self.scalar(spot, need, scalar, leaf);
            }
            _ => self.fault(spot, at, Part::Whole, Reason::Unlisted, None),
        }
    }

    fn absent(&mut self, spot: Spot<'_>, rule: &ArgumentRule, leaf: usize) {
        if !rule.absence_is_safe() {
            self.fault(spot, leaf, Part::Whole, Reason::AbsenceUnsafe, None);
        }
    }

    fn object(
        &mut self,
        spot: Spot<'_>,
        fields: &[(Arc<str>, ArgumentRule)],
        sent: &[(std::borrow::Cow<'_, str>, Value<'_>)],
        leaf: &mut usize,
    ) {
        for (index, (key, value)) in sent.iter().enumerate() {
            if self.looked > MAX_LEAVES {
                return;
            }
            let known = fields.iter().find(|(name, _)| **name == **key);
            let spot = Spot { field: known.map(|(name, _)| name), named: true, ..spot };
            if sent[..index].iter().any(|(earlier, _)| earlier == key) {
                self.looked += 1;
                self.fault(spot, *leaf, Part::Whole, Reason::Repeated, None);
            } else if let Some((_, rule)) = known {
                self.value(spot, rule, value, leaf);
            } else {
                self.looked += 1;
                self.fault(spot, *leaf, Part::Whole, Reason::Unlisted, None);
            }
        }
        for (name, rule) in fields {
            if !rule.absence_is_safe() && sent.iter().all(|(key, _)| **key != **name) {
                let spot = Spot { field: Some(name), ..spot };
                self.fault(spot, *leaf, Part::Whole, Reason::AbsenceUnsafe, None);
            }
        }
    }

    fn scalar(&mut self, spot: Spot<'_>, need: Need<'_>, value: &Value<'_>, leaf: &mut usize) {
        let at = *leaf;
        *leaf += 1;
        if need.safe_values.iter().any(|safe| safe.allows(value)) {
            return;
        }
        self.present += 1;
        let sent = value.text();
        match sent.and_then(|(text, _)| trace::parts(need.kind, text)) {
            None => self.fault(spot, at, Part::Whole, Reason::Untraceable, None),
            Some(parts) => {
                for part in parts.into_iter().flatten() {
                    self.part(spot, need, sent, &part, at);
                }
            }
        }
    }

    /// One traced part of a value: *exists* (or *forall*) for authority, *forall* for revocation.
    fn part(
        &mut self,
        spot: Spot<'_>,
        need: Need<'_>,
        sent: Option<(&str, Option<PageId>)>,
        sought: &Sought<'_>,
        at: usize,
    ) {
        let mut found = std::mem::take(&mut self.found);
        let capped = self.context.holders(&sought.needle, sought.short, &mut found);
        let (sent, cited) = sent.unzip();
        let cited = cited.flatten();
        let raised = &self.table.raised;
        self.method.keep(self.context, cited, &mut found, |context, holder| {
            content::effective(raised, context, holder, sent)
        });
        let exact = self.method == Method::Exact;
        let leaf = self.judgement.leaves.len();
        let (mut lifted, mut dead, mut low) = (false, None, None);
        for &holder in &found {
            let page = self.context.page(holder);
            if !self.context.is_live(holder, self.table, self.recheck) {
                dead = Some(dead.map_or(page, |known: PageId| known.min(page)));
                continue;
            }
            let authority = content::effective(&self.table.raised, self.context, holder, sent);
            if authority >= need.required {
                lifted = true;
            } else {
                low = Some(low.map_or(page, |known: PageId| known.min(page)));
            }
            let counter = self.table.counter(page).unwrap_or_default();
            self.judgement.evidence.push(Evidence { leaf, page, counter, authority });
        }
        self.judgement.holders.extend(found.iter().map(|&holder| (leaf, holder)));
        self.judgement.capped |= capped;
        let known = !found.is_empty();
        self.found = found;
        let lifted = lifted && (self.tie == Tie::Exists || (low.is_none() && !capped));
        if dead.is_some() || (exact && capped && self.context.any_dead(self.table, self.recheck)) {
            self.fault(spot, at, sought.part, Reason::Revoked, dead);
        } else if !lifted {
            let reason = match (self.method, cited) {
                (Method::Declared, None) => Reason::Uncited,
                _ if known || capped => Reason::LowAuthority,
                _ => Reason::Fabricated,
            };
            self.fault(spot, at, sought.part, reason, low);
        }
        self.judgement.leaves.push(place(spot, at, sought.part));
    }

    fn fault(
        &mut self,
        spot: Spot<'_>,
        leaf: usize,
        part: Part,
        reason: Reason,
        from: Option<PageId>,
    ) {
        let place = Some(place(spot, leaf, part));
        self.judgement.faults.push(LeafFault { place, reason, from });
    }

    fn whole(&mut self, reason: Reason) {
        self.judgement.faults.push(LeafFault { place: None, reason, from: None });
    }
}

fn place(spot: Spot<'_>, leaf: usize, part: Part) -> Place {
    Place {
        argument: spot.argument.cloned(),
        field: spot.field.cloned(),
        position: spot.position,
        leaf,
        part,
    }
}
