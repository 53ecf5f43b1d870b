//! The result of a calculator is worth what its operands are worth.

use crate::{
    Authority, Context, Descriptor, Fault, Form, Kernel, Kind, Label, Mapped, Owner, Producer,
    context::Admission, trace,
};

impl Kernel {
    /// Lets the result of a deterministic calculation into a context. Each operand, as the model
    /// sent it, counts as the best live text that holds it as a number, and brings the origins of
    /// every text that does. An operand that traces to nothing is Evidence.
    ///
    /// # Errors
    ///
    /// As [`Kernel::map`].
    pub fn calculated(
        &mut self,
        context: &mut Context,
        operands: &[&str],
        result: &str,
    ) -> Result<Mapped, Fault> {
        if !context.is_of(self.id) {
            return self.map(context, crate::Source::Tool, result);
        }
        let mut label = Label { scope: context.default_scope(), ..Label::TOP };
        if operands.is_empty() {
            label.authority = Authority::Evidence;
        }
        for operand in operands {
            label = label.meet(&self.operand(context, operand));
        }
        let page = self.table.page();
        label.origins = label.origins.with(self.table.now(page));
        self.catalogue.derived(page, Form::Full, &label.origins);
        let live = self.table.is_live(&label.origins);
        let Label { authority, scope, origins } = label;
        let owner = Owner { tenant: context.tenant(), producer: Producer::Tool };
        let descriptor = Descriptor { owner, scope, origins, authority };
        let admission =
            Admission { page, descriptor, text: result, source: None, live, grant: None };
        Ok(Mapped { entry: context.admit(admission), page })
    }

    fn operand(&self, context: &Context, operand: &str) -> Label {
        let nothing = Label { authority: Authority::Evidence, ..Label::TOP };
        let Some([Some(sought), _]) = trace::parts(Kind::Number, operand) else { return nothing };
        let mut holders = Vec::new();
        if context.holders(&sought.needle, sought.short, &mut holders) {
            return Label { origins: context.origins().clone(), ..nothing };
        }
        let mut label = nothing;
        for holder in holders {
            let descriptor = context.described(holder);
            label.authority = label.authority.max(descriptor.authority);
            label.origins.absorb(&descriptor.origins);
            label.scope = label.scope.meet(&descriptor.scope);
        }
        if !self.table.is_live(&label.origins) {
            label.authority = Authority::Evidence;
        }
        label
    }
}
