//! The owner's particulars.

use std::borrow::Cow;

use serde::Deserialize;

use super::{Answer, Travel};
use crate::tool::{Arguments, Output, Tool};

/// The owner's particulars. No tool changes them.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct User {
    /// First name.
    pub first_name: String,
    /// Last name.
    pub last_name: String,
    /// Number of the identity card.
    #[serde(rename = "ID_number")]
    pub id_number: String,
    /// Mail address.
    pub email: String,
    /// Telephone number.
    pub phone_number: String,
    /// Postal address.
    pub address: String,
    /// Number of the passport.
    pub passport_number: String,
    /// Number of the bank account.
    pub bank_account_number: String,
    /// Number of the credit card.
    pub credit_card_number: String,
}

pub(super) const GET_USER_INFORMATION: Tool<Travel> =
    Tool { name: "get_user_information", signature: "", run: get_user_information };

fn get_user_information<'w>(world: &'w mut Travel, _: &Arguments) -> Answer<'w> {
    let user = &world.user;
    let entries = [
        ("First Name", &user.first_name),
        ("Last Name", &user.last_name),
        ("ID Number", &user.id_number),
        ("Email", &user.email),
        ("Phone Number", &user.phone_number),
        ("Address", &user.address),
        ("Passport Number", &user.passport_number),
        ("Bank Account Number", &user.bank_account_number),
        ("Credit Card Number", &user.credit_card_number),
    ];
    let entries = entries.into_iter().map(|(name, value)| (name, Cow::Borrowed(value.as_str())));
    Ok(Output::Dict(entries.collect()))
}
