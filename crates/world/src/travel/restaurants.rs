//! Restaurants and the tools that look them up.

use serde::Deserialize;
use serde_json::Value;

use super::{Answer, Places, Travel, dictionary, names, rating_and_reviews};
use crate::tool::{Arguments, Tool};

/// The restaurants.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restaurants {
    /// The restaurants, in the data set's order.
    pub restaurant_list: Places<Restaurant>,
}

/// A restaurant.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Restaurant {
    /// Its name.
    pub name: String,
    /// Its city.
    pub city: String,
    /// Its address.
    pub address: String,
    /// Its rating.
    pub rating: f64,
    /// A meal's price.
    pub price_per_person: f64,
    /// When it is open, in words.
    pub operating_hours: String,
    /// What guests wrote.
    pub reviews: Vec<String>,
    /// How it is reached, in words.
    pub contact_information: String,
    /// Its cuisine.
    pub cuisine_type: String,
    /// The diets it serves, in words.
    pub dietary_restrictions: String,
}

const NAMES: &str = "restaurant_names: list[str]";

pub(super) const GET_ALL_RESTAURANTS_IN_CITY: Tool<Travel> =
    Tool { name: "get_all_restaurants_in_city", signature: "city: str", run: in_city };

pub(super) const GET_CUISINE_TYPE_FOR_RESTAURANTS: Tool<Travel> = Tool {
    name: "get_cuisine_type_for_restaurants",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(one.cuisine_type.as_str())),
};

pub(super) const GET_RESTAURANTS_ADDRESS: Tool<Travel> = Tool {
    name: "get_restaurants_address",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(one.address.as_str())),
};

pub(super) const GET_RATING_REVIEWS_FOR_RESTAURANTS: Tool<Travel> = Tool {
    name: "get_rating_reviews_for_restaurants",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| rating_and_reviews(one.rating, &one.reviews)),
};

pub(super) const GET_DIETARY_RESTRICTIONS_FOR_ALL_RESTAURANTS: Tool<Travel> = Tool {
    name: "get_dietary_restrictions_for_all_restaurants",
    signature: NAMES,
    run: dietary_restrictions,
};

pub(super) const GET_CONTACT_INFORMATION_FOR_RESTAURANTS: Tool<Travel> = Tool {
    name: "get_contact_information_for_restaurants",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(one.contact_information.as_str())),
};

pub(super) const GET_PRICE_FOR_RESTAURANTS: Tool<Travel> = Tool {
    name: "get_price_for_restaurants",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(one.price_per_person)),
};

pub(super) const CHECK_RESTAURANT_OPENING_HOURS: Tool<Travel> = Tool {
    name: "check_restaurant_opening_hours",
    signature: NAMES,
    run: |world, args| look_up(world, args, |one| Value::from(one.operating_hours.as_str())),
};

fn in_city<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let city = args.required(0);
    let restaurants = world.restaurants.restaurant_list.iter().filter(|one| one.city == city);
    Ok(names(&format!("Restaurant in {city}"), restaurants.map(|one| one.name.as_str())))
}

/// Something of each of the named restaurants. Names of no restaurant are passed over.
fn look_up<'w>(world: &'w Travel, args: &Arguments, tell: fn(&Restaurant) -> Value) -> Answer<'w> {
    let wanted = args.texts(0);
    let restaurants = world.restaurants.restaurant_list.iter();
    let named = restaurants.filter(|one| wanted.contains(&one.name));
    Ok(dictionary(named.map(|one| (one.name.as_str(), tell(one)))))
}

/// Looks for each restaurant's name in all the given ones joined to one text: a name within another
/// is found, and one across two.
fn dietary_restrictions<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let wanted = args.texts(0).join(", ");
    let restaurants = world.restaurants.restaurant_list.iter();
    let named = restaurants.filter(|one| wanted.contains(&one.name));
    let diets = named.map(|one| (one.name.as_str(), one.dietary_restrictions.as_str().into()));
    Ok(dictionary(diets))
}
