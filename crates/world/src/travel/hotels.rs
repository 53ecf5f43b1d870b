//! Hotels and the tools that look them up.

use serde::Deserialize;
use serde_json::Value;

use super::{Answer, Places, Travel, dictionary, names, rating_and_reviews};
use crate::python::repr;
use crate::tool::{Arguments, Tool};

/// The hotels.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hotels {
    /// The hotels, in the data set's order.
    pub hotel_list: Places<Hotel>,
}

/// A hotel.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hotel {
    /// Its name.
    pub name: String,
    /// Its city.
    pub city: String,
    /// Its rating.
    pub rating: f64,
    /// A night's least price.
    pub price_min: f64,
    /// A night's greatest price.
    pub price_max: f64,
    /// Its address.
    pub address: String,
    /// What guests wrote.
    pub reviews: Vec<String>,
}

const NAMES: &str = "hotel_names: list[str]";

pub(super) const GET_ALL_HOTELS_IN_CITY: Tool<Travel> =
    Tool { name: "get_all_hotels_in_city", signature: "city: str", run: in_city };

pub(super) const GET_HOTELS_PRICES: Tool<Travel> = Tool {
    name: "get_hotels_prices",
    signature: NAMES,
    run: |world, args| look_up(world, args, prices),
};

pub(super) const GET_RATING_REVIEWS_FOR_HOTELS: Tool<Travel> = Tool {
    name: "get_rating_reviews_for_hotels",
    signature: NAMES,
    run: |world, args| {
        look_up(world, args, |hotel| rating_and_reviews(hotel.rating, &hotel.reviews))
    },
};

pub(super) const GET_HOTELS_ADDRESS: Tool<Travel> =
    Tool { name: "get_hotels_address", signature: "hotel_name: str", run: address };

fn in_city<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let city = args.required(0);
    let hotels = world.hotels.hotel_list.iter().filter(|hotel| hotel.city == city);
    Ok(names("Hotel Names", hotels.map(|hotel| hotel.name.as_str())))
}

/// Something of each of the named hotels. Names of no hotel are passed over.
fn look_up<'w>(world: &'w Travel, args: &Arguments, tell: fn(&Hotel) -> Value) -> Answer<'w> {
    let wanted = args.texts(0);
    let hotels = world.hotels.hotel_list.iter().filter(|hotel| wanted.contains(&hotel.name));
    Ok(dictionary(hotels.map(|hotel| (hotel.name.as_str(), tell(hotel)))))
}

fn prices(hotel: &Hotel) -> Value {
    let (least, greatest) = (repr::float(hotel.price_min), repr::float(hotel.price_max));
    Value::from(format!("Price range: {least} - {greatest}"))
}

fn address<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let wanted = args.required(0);
    let hotels = world.hotels.hotel_list.iter().filter(|hotel| hotel.name == wanted);
    let addresses = hotels.map(|hotel| (hotel.name.as_str(), Value::from(hotel.address.as_str())));
    Ok(dictionary(addresses))
}
