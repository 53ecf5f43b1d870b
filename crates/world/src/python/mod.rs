//! Python's text forms, ported so that worlds answer in the very characters upstream answers in.
//!
//! Nothing here runs Python. Each module ports one behaviour of `CPython` 3.11 (Unicode 14),
//! `PyYAML` 6.0.4 or `pydantic` 2.14, and is compared with it by the vectors in `tests/data`,
//! which `scripts/python_vectors.py` writes.

pub mod address;
pub mod coercion;
pub mod datetime;
pub mod difflib;
pub mod folding;
pub mod literal;
mod printable;
pub mod repr;
pub mod yaml;
