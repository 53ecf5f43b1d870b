//! The travel world: hotels, restaurants, car rental companies and flights to look up, one
//! reservation, and the owner's calendar and mail.
//!
//! Upstream: `default_suites/v1/travel/task_suite.py` and
//! `default_suites/v1/tools/travel_booking_client.py`. What can be looked up is changed by no tool.

mod cars;
mod flights;
mod hotels;
mod reservation;
mod restaurants;
mod user;

use serde::Deserialize;
use serde_json::{Map, Value};
use trace::call::ToolError;

use crate::calendar::Calendar;
use crate::clock::Clock;
use crate::environment::{State, Texts, Typed};
use crate::mail::Inbox;
use crate::office::{Desk, Office};
use crate::python::repr;
use crate::shared::Shared;
use crate::tool::{Output, Tool};
use crate::{calendar_tools, mail_tools};

pub use cars::{CarRental, CarRentalCompany};
pub use flights::{Flight, Flights};
pub use hotels::{Hotel, Hotels};
pub use reservation::{Reservation, ReservationType};
pub use restaurants::{Restaurant, Restaurants};
pub use user::User;

/// Places that can be looked up, in the data set's order.
pub type Places<T> = Shared<Vec<Shared<T>>>;

type Answer<'w> = Result<Output<'w>, ToolError>;

/// The environment.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Travel {
    /// The hotels.
    pub hotels: Hotels,
    /// The restaurants.
    pub restaurants: Restaurants,
    /// The car rental companies.
    pub car_rental: CarRental,
    /// The flights.
    pub flights: Flights,
    /// The owner's particulars.
    pub user: Shared<User>,
    /// The owner's calendar.
    pub calendar: Calendar,
    /// The one reservation: each takes the place of the last.
    pub reservation: Reservation,
    /// The owner's mail.
    pub inbox: Inbox,
    /// The clock.
    #[serde(skip)]
    pub clock: Clock,
}

impl Typed for Travel {
    const NAME: &'static str = "travel";

    const REPEATED: &'static [&'static str] = &[
        "/inbox/initial_emails",
        "/inbox/received",
        "/inbox/sent",
        "/inbox/drafts",
        "/calendar/initial_events",
    ];

    const TOOLS: &'static [Tool<Self>] = &[
        user::GET_USER_INFORMATION,
        hotels::GET_ALL_HOTELS_IN_CITY,
        hotels::GET_HOTELS_PRICES,
        hotels::GET_RATING_REVIEWS_FOR_HOTELS,
        hotels::GET_HOTELS_ADDRESS,
        restaurants::GET_ALL_RESTAURANTS_IN_CITY,
        restaurants::GET_CUISINE_TYPE_FOR_RESTAURANTS,
        restaurants::GET_RESTAURANTS_ADDRESS,
        restaurants::GET_RATING_REVIEWS_FOR_RESTAURANTS,
        restaurants::GET_DIETARY_RESTRICTIONS_FOR_ALL_RESTAURANTS,
        restaurants::GET_CONTACT_INFORMATION_FOR_RESTAURANTS,
        restaurants::GET_PRICE_FOR_RESTAURANTS,
        restaurants::CHECK_RESTAURANT_OPENING_HOURS,
        cars::GET_ALL_CAR_RENTAL_COMPANIES_IN_CITY,
        cars::GET_CAR_TYPES_AVAILABLE,
        cars::GET_RATING_REVIEWS_FOR_CAR_RENTAL,
        cars::GET_CAR_FUEL_OPTIONS,
        cars::GET_CAR_RENTAL_ADDRESS,
        cars::GET_CAR_PRICE_PER_DAY,
        calendar_tools::create_calendar_event(),
        calendar_tools::search_calendar_events(),
        calendar_tools::get_day_calendar_events(),
        calendar_tools::cancel_calendar_event(),
        reservation::RESERVE_HOTEL,
        reservation::RESERVE_CAR_RENTAL,
        reservation::RESERVE_RESTAURANT,
        flights::GET_FLIGHT_INFORMATION,
        mail_tools::send_email(),
    ];

    fn as_state(&self) -> State<'_> {
        State::Travel(self)
    }

    fn from_state(state: State<'_>) -> Option<&Self> {
        if let State::Travel(environment) = state { Some(environment) } else { None }
    }

    /// Visits the reviews: people who are not the owner wrote them.
    fn visit_texts(&mut self, texts: &mut Texts<'_>) {
        visit_reviews(
            &mut self.hotels.hotel_list,
            |one| &one.reviews,
            |one| &mut one.reviews,
            texts,
        );
        let restaurants = &mut self.restaurants.restaurant_list;
        visit_reviews(restaurants, |one| &one.reviews, |one| &mut one.reviews, texts);
        let companies = &mut self.car_rental.company_list;
        visit_reviews(companies, |one| &one.reviews, |one| &mut one.reviews, texts);
    }
}

impl Office for Travel {
    fn office(&self) -> (&Inbox, &Calendar) {
        (&self.inbox, &self.calendar)
    }

    fn desk(&mut self) -> Desk<'_> {
        Desk { inbox: &mut self.inbox, calendar: &mut self.calendar, clock: &mut self.clock }
    }
}

/// Comes to the reviews of each place in a list.
fn visit_reviews<T: Clone>(
    places: &mut Places<T>,
    reviews: fn(&T) -> &Vec<String>,
    reviews_mut: fn(&mut T) -> &mut Vec<String>,
    texts: &mut Texts<'_>,
) {
    if !texts.enters(places.iter().map(|place| reviews(place).len()).sum()) {
        return;
    }
    for place in places.change() {
        if texts.enters(reviews(place).len()) {
            for review in reviews_mut(place.change()) {
                texts.text(review);
            }
        }
    }
}

/// A Python dictionary. Of two equal names the later one's value stands in the earlier one's place.
fn dictionary<'w>(entries: impl Iterator<Item = (&'w str, Value)>) -> Output<'w> {
    let mut fields = Map::new();
    for (name, value) in entries {
        fields.insert(name.to_owned(), value);
    }
    Output::Python(Value::Object(fields))
}

/// The names of the places in a city, one a line after some words.
fn names<'w>(words: &str, names: impl Iterator<Item = &'w str>) -> Output<'w> {
    let names: Vec<&str> = names.collect();
    Output::Text(format!("{words}: {}\n", names.join("\n")).into())
}

/// A place's rating and what guests wrote.
fn rating_and_reviews(rating: f64, reviews: &[String]) -> Value {
    Value::from(format!("Rating: {}\nReviews: {}", repr::float(rating), reviews.join("\n")))
}

#[cfg(test)]
mod tests;
