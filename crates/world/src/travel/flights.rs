//! Flights and the tool that looks them up.

use serde::Deserialize;

use super::{Answer, Travel};
use crate::python::datetime::DateTime;
use crate::python::repr;
use crate::shared::Shared;
use crate::tool::{Arguments, Output, Tool};

/// The flights.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flights {
    /// The flights, in the data set's order.
    pub flight_list: Shared<Vec<Flight>>,
}

/// A flight.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flight {
    /// Who flies.
    pub airline: String,
    /// Its number.
    pub flight_number: String,
    /// Where it starts.
    pub departure_city: String,
    /// Where it lands.
    pub arrival_city: String,
    /// When it starts.
    pub departure_time: DateTime,
    /// When it lands.
    pub arrival_time: DateTime,
    /// The price for one person.
    pub price: f64,
    /// How the airline is reached, in words.
    pub contact_information: String,
}

pub(super) const GET_FLIGHT_INFORMATION: Tool<Travel> = Tool {
    name: "get_flight_information",
    signature: "departure_city: str, arrival_city: str",
    run: get_flight_information,
};

/// One line a flight.
fn get_flight_information<'w>(world: &'w mut Travel, args: &Arguments) -> Answer<'w> {
    let (from, to) = (args.required(0), args.required(1));
    let flights = world.flights.flight_list.iter();
    let lines = flights
        .filter(|flight| flight.departure_city == from && flight.arrival_city == to)
        .map(line);
    Ok(Output::Text(lines.collect::<Vec<_>>().join("\n").into()))
}

fn line(flight: &Flight) -> String {
    format!(
        "Airline: {}, Flight Number: {}, Departure Time: {}, Arrival Time: {}, Price: {}, \
         Contact Information: {}",
        flight.airline,
        flight.flight_number,
        flight.departure_time,
        flight.arrival_time,
        repr::float(flight.price),
        flight.contact_information
    )
}
