//! The banking world: one account, a few files, the owner's particulars.
//!
//! Upstream: `default_suites/v1/banking/task_suite.py` and `default_suites/v1/tools/banking_client.py`,
//! `file_reader.py`, `user_account.py`.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::Deserialize;
use trace::call::ToolError;

use crate::environment::{State, Texts, Typed};
use crate::python::repr;
use crate::python::yaml::Node;
use crate::tool::{Arguments, Output, Tool};

/// The environment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Banking {
    /// The account.
    pub bank_account: BankAccount,
    /// The files.
    pub filesystem: Filesystem,
    /// The owner's particulars.
    pub user_account: UserAccount,
}

/// A bank account.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BankAccount {
    /// What it holds. No tool changes it.
    pub balance: f64,
    /// Its number.
    pub iban: String,
    /// Payments made and received, oldest first.
    pub transactions: Vec<Transaction>,
    /// Payments to come.
    pub scheduled_transactions: Vec<Transaction>,
}

/// A payment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Transaction {
    /// Its number.
    pub id: i64,
    /// The payer's account.
    pub sender: String,
    /// The payee's account.
    pub recipient: String,
    /// The amount.
    pub amount: f64,
    /// The words on it.
    pub subject: String,
    /// The day, as text.
    pub date: String,
    /// Whether it repeats.
    pub recurring: bool,
}

/// Files by path.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filesystem {
    /// The contents by path.
    pub files: IndexMap<String, String>,
}

/// The owner's particulars.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserAccount {
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Street and number.
    pub street: String,
    /// City.
    pub city: String,
    /// Password.
    pub password: String,
}

impl BankAccount {
    /// One more than the greatest number in use (upstream: `next_id`).
    fn next_id(&self) -> i64 {
        let all = self.transactions.iter().chain(&self.scheduled_transactions);
        all.map(|transaction| transaction.id).max().unwrap_or(0) + 1
    }

    fn transaction(&self, arguments: &Arguments, recurring: bool) -> Transaction {
        Transaction {
            id: self.next_id(),
            sender: self.iban.clone(),
            recipient: arguments.required(0).to_owned(),
            amount: arguments.number(1).expect("the signature requires a number here"),
            subject: arguments.required(2).to_owned(),
            date: arguments.required(3).to_owned(),
            recurring,
        }
    }
}

impl Transaction {
    /// Keys in the order that a dump sorts them into.
    fn node(&self) -> Node<'_> {
        Node::Map(vec![
            (Cow::Borrowed("amount"), Node::Float(self.amount)),
            (Cow::Borrowed("date"), text(&self.date)),
            (Cow::Borrowed("id"), Node::Int(self.id)),
            (Cow::Borrowed("recipient"), text(&self.recipient)),
            (Cow::Borrowed("recurring"), Node::Bool(self.recurring)),
            (Cow::Borrowed("sender"), text(&self.sender)),
            (Cow::Borrowed("subject"), text(&self.subject)),
        ])
    }
}

impl Typed for Banking {
    const NAME: &'static str = "banking";

    const TOOLS: &'static [Tool<Self>] = &[
        Tool { name: "get_iban", signature: "", run: get_iban },
        Tool {
            name: "send_money",
            signature: "recipient: str, amount: float, subject: str, date: str",
            run: send_money,
        },
        Tool {
            name: "schedule_transaction",
            signature: "recipient: str, amount: float, subject: str, date: str, recurring: bool",
            run: schedule_transaction,
        },
        Tool {
            name: "update_scheduled_transaction",
            signature: "id: int, recipient: str? = None, amount: float? = None, \
                        subject: str? = None, date: str? = None, recurring: bool? = None",
            run: update_scheduled_transaction,
        },
        Tool { name: "get_balance", signature: "", run: get_balance },
        Tool {
            name: "get_most_recent_transactions",
            signature: "n: int = 100",
            run: get_most_recent_transactions,
        },
        Tool { name: "get_scheduled_transactions", signature: "", run: get_scheduled_transactions },
        Tool { name: "read_file", signature: "file_path: str", run: read_file },
        Tool { name: "get_user_info", signature: "", run: get_user_info },
        Tool { name: "update_password", signature: "password: str", run: update_password },
        Tool {
            name: "update_user_info",
            signature: "first_name: str? = None, last_name: str? = None, street: str? = None, \
                        city: str? = None",
            run: update_user_info,
        },
    ];

    fn as_state(&self) -> State<'_> {
        State::Banking(self)
    }

    fn from_state(state: State<'_>) -> Option<&Self> {
        match state {
            State::Banking(environment) => Some(environment),
            _ => None,
        }
    }

    fn visit_texts(&mut self, texts: &mut Texts<'_>) {
        let account = &mut self.bank_account;
        texts.text(&mut account.iban);
        for transaction in
            account.transactions.iter_mut().chain(&mut account.scheduled_transactions)
        {
            texts.text(&mut transaction.sender);
            texts.text(&mut transaction.recipient);
            texts.text(&mut transaction.subject);
            texts.text(&mut transaction.date);
        }
        self.filesystem.files.values_mut().for_each(|file| texts.text(file));
        let user = &mut self.user_account;
        texts.text(&mut user.first_name);
        texts.text(&mut user.last_name);
        texts.text(&mut user.street);
        texts.text(&mut user.city);
        texts.text(&mut user.password);
    }
}

fn text(value: &str) -> Node<'_> {
    Node::Str(Cow::Borrowed(value))
}

fn message(text: String) -> Output<'static> {
    Output::Dict(vec![("message", Cow::Owned(text))])
}

fn get_iban<'w>(world: &'w mut Banking, _: &Arguments) -> Result<Output<'w>, ToolError> {
    Ok(Output::Text(Cow::Borrowed(&world.bank_account.iban)))
}

/// Never debits the balance, as upstream's does not.
fn send_money<'w>(world: &'w mut Banking, args: &Arguments) -> Result<Output<'w>, ToolError> {
    let sent = world.bank_account.transaction(args, false);
    let answer =
        format!("Transaction to {} for {} sent.", sent.recipient, repr::float(sent.amount));
    world.bank_account.transactions.push(sent);
    Ok(message(answer))
}

fn schedule_transaction<'w>(
    world: &'w mut Banking,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let recurring = args.switch(4).expect("the signature requires a switch here");
    let planned = world.bank_account.transaction(args, recurring);
    let amount = repr::float(planned.amount);
    let answer = format!("Transaction to {} for {amount} scheduled.", planned.recipient);
    world.bank_account.scheduled_transactions.push(planned);
    Ok(message(answer))
}

/// Ignores what Python calls false: an amount of 0, an empty text, `recurring=False`.
fn update_scheduled_transaction<'w>(
    world: &'w mut Banking,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let id = args.integer(0);
    let planned = &mut world.bank_account.scheduled_transactions;
    let Some(transaction) = planned.iter_mut().find(|one| Some(one.id) == id) else {
        return Err(ToolError::value(format!("Transaction with ID {} not found.", args.shown(0))));
    };
    set_unless_empty(&mut transaction.recipient, args.text(1));
    if let Some(amount) = args.number(2).filter(|amount| *amount != 0.0) {
        transaction.amount = amount;
    }
    set_unless_empty(&mut transaction.subject, args.text(3));
    set_unless_empty(&mut transaction.date, args.text(4));
    transaction.recurring |= args.switch(5) == Some(true);
    Ok(message(format!("Transaction with ID {} updated.", args.shown(0))))
}

fn set_unless_empty(field: &mut String, value: Option<&str>) {
    if let Some(value) = value.filter(|value| !value.is_empty()) {
        value.clone_into(field);
    }
}

fn get_balance<'w>(world: &'w mut Banking, _: &Arguments) -> Result<Output<'w>, ToolError> {
    Ok(Output::Float(world.bank_account.balance))
}

/// Takes Python's slice `[-n:]`: 0 gives all, and a negative number leaves out that many of the
/// oldest.
fn get_most_recent_transactions<'w>(
    world: &'w mut Banking,
    args: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let all = &world.bank_account.transactions;
    let wanted = args.integer(0).unwrap_or(i64::MAX);
    let size = usize::try_from(wanted.unsigned_abs()).unwrap_or(usize::MAX);
    let start = match wanted {
        0 => 0,
        1.. => all.len().saturating_sub(size),
        _ => size.min(all.len()),
    };
    Ok(Output::List(all[start..].iter().map(Transaction::node).collect()))
}

fn get_scheduled_transactions<'w>(
    world: &'w mut Banking,
    _: &Arguments,
) -> Result<Output<'w>, ToolError> {
    let planned = &world.bank_account.scheduled_transactions;
    Ok(Output::List(planned.iter().map(Transaction::node).collect()))
}

/// Answers with an empty text where there is no such file.
fn read_file<'w>(world: &'w mut Banking, args: &Arguments) -> Result<Output<'w>, ToolError> {
    let content = world.filesystem.files.get(args.required(0)).map_or("", String::as_str);
    Ok(Output::Text(Cow::Borrowed(content)))
}

fn get_user_info<'w>(world: &'w mut Banking, _: &Arguments) -> Result<Output<'w>, ToolError> {
    let user = &world.user_account;
    Ok(Output::Dict(vec![
        ("first_name", Cow::Borrowed(&user.first_name)),
        ("last_name", Cow::Borrowed(&user.last_name)),
        ("street", Cow::Borrowed(&user.street)),
        ("city", Cow::Borrowed(&user.city)),
    ]))
}

fn update_password<'w>(world: &'w mut Banking, args: &Arguments) -> Result<Output<'w>, ToolError> {
    args.required(0).clone_into(&mut world.user_account.password);
    Ok(message("Password updated.".to_owned()))
}

fn update_user_info<'w>(world: &'w mut Banking, args: &Arguments) -> Result<Output<'w>, ToolError> {
    let user = &mut world.user_account;
    set_unless_empty(&mut user.first_name, args.text(0));
    set_unless_empty(&mut user.last_name, args.text(1));
    set_unless_empty(&mut user.street, args.text(2));
    set_unless_empty(&mut user.city, args.text(3));
    get_user_info(world, args)
}
