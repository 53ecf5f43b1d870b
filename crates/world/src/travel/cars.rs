//! Car rental companies and the tools that look them up.

use serde::Deserialize;
use serde_json::Value;

use super::{Answer, Places, Travel, dictionary, names, rating_and_reviews};
use crate::tool::{Arguments, Tool};

/// The car rental companies.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarRental {
    /// The companies, in the data set's order.
    pub company_list: Places<CarRentalCompany>,
}

/// A car rental company.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CarRentalCompany {
    /// Its name.
    pub name: String,
    /// Its city.
    pub city: String,
    /// Its address.
    pub address: String,
    /// Its rating.
    pub rating: f64,
    /// A day's price.
    pub price_per_day: f64,
    /// What customers wrote.
    pub reviews: Vec<String>,
    /// How it is reached, in words.
    pub contact_information: String,
    /// The types of its cars.
    pub car_types_available: Vec<String>,
    /// The fuels its cars take.
    pub fuel_options: Vec<String>,
}

const NAMES: &str = "company_name: list[str]";

pub(super) const GET_ALL_CAR_RENTAL_COMPANIES_IN_CITY: Tool<Travel> =
    Tool { name: "get_all_car_rental_companies_in_city", signature: "city: str", run: in_city };

pub(super) const GET_CAR_TYPES_AVAILABLE: Tool<Travel> = Tool {
    name: "get_car_types_available",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(&one.car_types_available[..])),
};

pub(super) const GET_RATING_REVIEWS_FOR_CAR_RENTAL: Tool<Travel> = Tool {
    name: "get_rating_reviews_for_car_rental",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| rating_and_reviews(one.rating, &one.reviews)),
};

pub(super) const GET_CAR_FUEL_OPTIONS: Tool<Travel> = Tool {
    name: "get_car_fuel_options",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(&one.fuel_options[..])),
};

pub(super) const GET_CAR_RENTAL_ADDRESS: Tool<Travel> = Tool {
    name: "get_car_rental_address",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(one.address.as_str())),
};

pub(super) const GET_CAR_PRICE_PER_DAY: Tool<Travel> = Tool {
    name: "get_car_price_per_day",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(one.price_per_day)),
};

fn in_city<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let city = args.required(0);
    let companies = world.car_rental.company_list.iter().filter(|one| one.city == city);
    let words = format!("Car Rental Companies in {city}");
    Ok(names(&words, companies.map(|one| one.name.as_str())))
}

/// Something of each of the named companies. Names of no company are passed over.
fn look_up<'w>(
    world: &'w Travel,
    args: &Arguments,
    tell: fn(&CarRentalCompany) -> Value,
) -> Answer<'w> {
    let wanted = args.texts(0);
    let companies = world.car_rental.company_list.iter().filter(|one| wanted.contains(&one.name));
    Ok(dictionary(companies.map(|one| (one.name.as_str(), tell(one)))))
}
