//! The one reservation and the tools that make it.
//!
//! A tool that fails on a time keeps what it has set before: whom to reach, the type, the title, and
//! the start where the end is refused.

use serde::Deserialize;

use super::{Answer, Travel};
use crate::python::datetime::DateTime;
use crate::tool::{Arguments, Output, Tool};

/// A reservation.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reservation {
    /// What is reserved; `None` before the first reservation.
    pub reservation_type: Option<ReservationType>,
    /// Where.
    pub title: String,
    /// From when.
    pub start_time: DateTime,
    /// Until when.
    pub end_time: DateTime,
    /// How the owner is reached.
    pub contact_information: String,
}

/// What a reservation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReservationType {
    /// A room.
    Hotel,
    /// A car.
    Car,
    /// A table.
    Restaurant,
}

pub(super) const RESERVE_HOTEL: Tool<Travel> = Tool {
    name: "reserve_hotel",
    signature: "hotel: str, start_day: str, end_day: str",
    run: reserve_hotel,
};

pub(super) const RESERVE_CAR_RENTAL: Tool<Travel> = Tool {
    name: "reserve_car_rental",
    signature: "company: str, start_time: str, end_time: str?",
    run: reserve_car_rental,
};

pub(super) const RESERVE_RESTAURANT: Tool<Travel> = Tool {
    name: "reserve_restaurant",
    signature: "restaurant: str, start_time: str",
    run: reserve_restaurant,
};

/// Starts a new reservation under the owner's telephone number.
fn open<'w>(world: &'w mut Travel, kind: ReservationType, title: &str) -> &'w mut Reservation {
    let reservation = &mut world.reservation;
    reservation.contact_information.clone_from(&world.user.phone_number);
    reservation.reservation_type = Some(kind);
    title.clone_into(&mut reservation.title);
    reservation
}

fn made<'w>(words: &str) -> Output<'w> {
    Output::Text(format!("Reservation for {words} has been made successfully.").into())
}

fn reserve_hotel<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let (hotel, start, end) = (args.required(0), args.required(1), args.required(2));
    let reservation = open(world, ReservationType::Hotel, hotel);
    reservation.start_time = DateTime::fromisoformat(start)?;
    reservation.end_time = DateTime::fromisoformat(end)?;
    Ok(made(&format!("{hotel} from {start} to {end}")))
}

/// Ends the reservation where it starts: the end that is asked for is only repeated in the answer.
fn reserve_car_rental<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let (company, start, end) = (args.required(0), args.required(1), args.shown(2));
    let reservation = open(world, ReservationType::Car, company);
    reservation.start_time = DateTime::fromisoformat(start)?;
    reservation.end_time = reservation.start_time;
    Ok(made(&format!("a car at {company} from {start} to {end}")))
}

/// Reserves for two hours.
fn reserve_restaurant<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let restaurant = args.required(0);
    let reservation = open(world, ReservationType::Restaurant, restaurant);
    reservation.start_time = DateTime::fromisoformat(args.required(1))?;
    reservation.end_time = reservation.start_time.plus_hours(2)?;
    let (start, end) = (reservation.start_time, reservation.end_time);
    let (from, to) = (start.hour_and_minute(), end.hour_and_minute());
    Ok(made(&format!("{restaurant} from {from} to {to} on {}", start.date())))
}
