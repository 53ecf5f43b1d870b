use serde_json::{Value, json};

use super::*;
use crate::tool::Arguments;

fn world() -> Travel {
    let restaurant = |name: &str, diet: &str| {
        json!({
            "name": name, "city": "Here", "address": "1 Road", "rating": 4.0,
            "price_per_person": 12.5, "operating_hours": "always", "reviews": ["good", "it's fine"],
            "contact_information": "by letter", "cuisine_type": "own",
            "dietary_restrictions": diet,
        })
    };
    let moment = |text: &str| json!({"$datetime": text});
    let world = json!({
        "hotels": {"hotel_list": []},
        "restaurants": {"restaurant_list": [restaurant("Oak", "a"), restaurant("Oak, Elm", "b")]},
        "car_rental": {"company_list": []},
        "flights": {"flight_list": []},
        "user": {
            "first_name": "A", "last_name": "B", "ID_number": "1", "email": "a@example.com",
            "phone_number": "555", "address": "2 Road", "passport_number": "2",
            "bank_account_number": "3", "credit_card_number": "4",
        },
        "calendar": {
            "current_day": {"$date": "2024-05-15"}, "account_email": "a@example.com", "events": {},
        },
        "reservation": {
            "reservation_type": null, "title": "", "start_time": moment("2024-05-31T17:38:00"),
            "end_time": moment("2024-05-31T17:39:00"), "contact_information": "",
        },
        "inbox": {
            "account_email": "a@example.com", "emails": {}, "contact_list": [], "trash": {},
        },
    });
    serde_json::from_value(world).unwrap()
}

fn call(world: &mut Travel, tool: &str, arguments: &[Value]) -> Result<String, String> {
    let tool = Travel::TOOLS.iter().find(|known| known.name == tool).unwrap();
    let arguments = Arguments::given(arguments.to_vec());
    (tool.run)(world, &arguments).map(Output::render).map_err(|error| error.to_string())
}

#[test]
fn a_reservation_that_fails_keeps_what_it_has_set() {
    let mut world = world();
    let start = world.reservation.start_time;
    let answer = call(&mut world, "reserve_hotel", &[json!("Inn"), json!("x"), json!("y")]);
    assert_eq!(answer, Err("ValueError: Invalid isoformat string: 'x'".to_owned()));
    let kept = &world.reservation;
    assert_eq!(kept.reservation_type, Some(ReservationType::Hotel));
    assert_eq!((kept.title.as_str(), kept.contact_information.as_str()), ("Inn", "555"));
    assert_eq!(kept.start_time, start);

    let late = [json!("Oak"), json!("9999-12-31 22:30")];
    let answer = call(&mut world, "reserve_restaurant", &late);
    assert_eq!(answer, Err("OverflowError: date value out of range".to_owned()));
    assert_ne!(world.reservation.start_time, start);
}

#[test]
fn a_car_is_given_back_when_it_is_taken_and_a_table_after_two_hours() {
    let mut world = world();
    let car = [json!("Cars"), json!("2024-01-01 10:00"), Value::Null];
    assert_eq!(
        call(&mut world, "reserve_car_rental", &car).unwrap(),
        "Reservation for a car at Cars from 2024-01-01 10:00 to None has been made successfully."
    );
    assert_eq!(world.reservation.end_time, world.reservation.start_time);

    let table = [json!("Oak"), json!("2024-02-29T23:15+05:00")];
    assert_eq!(
        call(&mut world, "reserve_restaurant", &table).unwrap(),
        "Reservation for Oak from 23:15 to 01:15 on 2024-02-29 has been made successfully."
    );
    assert_eq!(world.reservation.end_time.to_string(), "2024-03-01 01:15:00+05:00");
}

#[test]
fn diets_are_told_of_every_name_within_the_joined_names() {
    let mut world = world();
    let names = [json!(["An Oak", "Elm"])];
    let diets = call(&mut world, "get_dietary_restrictions_for_all_restaurants", &names);
    assert_eq!(diets.unwrap(), "{'Oak': 'a', 'Oak, Elm': 'b'}");
    let addresses = call(&mut world, "get_restaurants_address", &names);
    assert_eq!(addresses.unwrap(), "{}");
}

#[test]
fn answers_are_in_the_order_of_the_environment_and_in_pythons_forms() {
    let mut world = world();
    let names = [json!(["Oak, Elm", "Oak", "Ash"])];
    let prices = call(&mut world, "get_price_for_restaurants", &names);
    assert_eq!(prices.unwrap(), "{'Oak': 12.5, 'Oak, Elm': 12.5}");
    let reviews = call(&mut world, "get_rating_reviews_for_restaurants", &[json!(["Oak"])]);
    assert_eq!(reviews.unwrap(), "{'Oak': \"Rating: 4.0\\nReviews: good\\nit's fine\"}");
    let all = call(&mut world, "get_all_restaurants_in_city", &[json!("Here")]);
    assert_eq!(all.unwrap(), "Restaurant in Here: Oak\nOak, Elm\n");
}
