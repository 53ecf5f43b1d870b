//! The words of the benchmark, in memory and on disk.
//!
//! One word a thing: a **suite** holds **scenarios**; a scenario is what the user wants (*user task*)
//! and, for an attack, what the attacker wants (*injection task*), in a **world**. Scenario × **attack**
//! × **harness** × **agent** × **defense** × **owner** × **epoch** is a **cell**; a cell's course is an
//! **episode**, and ends in a verdict named by what happened.
//!
//! This crate has hardly any behaviour and does no I/O. Three types to read first: [`call::ToolCall`],
//! [`tool::ToolSpec`] and [`rows::CellRow`].
#![warn(clippy::disallowed_methods)]

pub mod allowance;
pub mod call;
pub mod course;
pub mod event;
pub mod ids;
pub mod profile;
pub mod rows;
pub mod script;
pub mod tool;
pub mod trajectory;
pub mod version;
pub mod words;
