//! The language in which people write worlds and scenarios.
//!
//! A *world file* declares a world: its state, its tools, and the owner's records. A *scenario file*
//! says what happens in one: who speaks, what comes in from outside, what is stored, revoked and
//! restored, what a fooled agent does, and by which conditions the end is judged. A scenario file is a
//! template: `chains` lists the rows that it is run with, `when` keeps a part for some rows only, and
//! `by` picks a value by one axis. `docs/write-a-scenario.md` shows both.
//!
//! Reading is in two steps. [`expand`] makes a row's own tree from the template's, with every node
//! still at its place in the file; then the tree is read as what it means. So each mistake is found in
//! every row in which it stands, and named once.

mod allow;
mod cases;
mod events;
pub mod expand;
mod judging;
mod schema;
mod scripts;
mod stages;
pub mod words;
mod world;

pub use cases::{Case, Template, read_scenario, world_of};
pub use schema::{scenario_schema, world_schema};
pub use world::{WorldFile, read_world};
