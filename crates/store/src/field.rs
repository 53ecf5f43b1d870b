//! How one field of a row becomes a column, and back.

use polars::prelude::{Column, NamedFrom, PolarsError, Series};

use crate::schema::ColumnType;

/// A column that cannot be written or read, and why.
#[derive(Debug)]
pub(crate) struct BadColumn {
    /// The column's name.
    pub(crate) column: &'static str,
    /// Why.
    pub(crate) reason: String,
}

impl std::fmt::Display for BadColumn {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "column `{}`: {}", self.column, self.reason)
    }
}

/// A type of field. Each value is an `Option` of one of five plain types on disk.
pub(crate) trait Field: Sized {
    /// The column's type.
    const TYPE: ColumnType;
    /// Whether the column may hold null.
    const NULLABLE: bool;

    /// The column of these values.
    fn column<'v>(
        name: &'static str,
        values: impl Iterator<Item = &'v Self>,
    ) -> Result<Column, BadColumn>
    where
        Self: 'v;

    /// The values of a column.
    fn values(name: &'static str, column: &Column) -> Result<Vec<Self>, BadColumn>;
}

/// A plain type that holds no null of its own.
pub(crate) trait Plain: Sized {
    /// The column's type.
    const TYPE: ColumnType;

    /// The column of these values.
    fn column<'v>(
        name: &'static str,
        values: impl Iterator<Item = Option<&'v Self>>,
    ) -> Result<Column, BadColumn>
    where
        Self: 'v;

    /// The values of a column.
    fn values(name: &'static str, column: &Column) -> Result<Vec<Option<Self>>, BadColumn>;
}

impl<P: Plain> Field for P {
    const TYPE: ColumnType = P::TYPE;
    const NULLABLE: bool = false;

    fn column<'v>(
        name: &'static str,
        values: impl Iterator<Item = &'v Self>,
    ) -> Result<Column, BadColumn>
    where
        Self: 'v,
    {
        P::column(name, values.map(Some))
    }

    fn values(name: &'static str, column: &Column) -> Result<Vec<Self>, BadColumn> {
        P::values(name, column)?
            .into_iter()
            .map(|value| {
                value.ok_or_else(|| BadColumn { column: name, reason: "a value is missing".into() })
            })
            .collect()
    }
}

impl<P: Plain> Field for Option<P> {
    const TYPE: ColumnType = P::TYPE;
    const NULLABLE: bool = true;

    fn column<'v>(
        name: &'static str,
        values: impl Iterator<Item = &'v Self>,
    ) -> Result<Column, BadColumn>
    where
        Self: 'v,
    {
        P::column(name, values.map(Option::as_ref))
    }

    fn values(name: &'static str, column: &Column) -> Result<Vec<Self>, BadColumn> {
        P::values(name, column)
    }
}

/// The error of a column whose type in the file is another one.
fn mistyped(name: &'static str) -> impl FnOnce(PolarsError) -> BadColumn {
    move |error| BadColumn { column: name, reason: error.to_string() }
}

/// A column of polars from optional values.
fn named<T>(name: &'static str, values: &[T]) -> Column
where
    Series: for<'v> NamedFrom<&'v [T], [T]>,
{
    Series::new(name.into(), values).into()
}

/// Implements [`Plain`] for a type that polars holds as it is.
macro_rules! plain {
    ($type:ty, $ty:expr, $get:ident, $out:expr, $into:expr) => {
        impl Plain for $type {
            const TYPE: ColumnType = $ty;

            fn column<'v>(
                name: &'static str,
                values: impl Iterator<Item = Option<&'v Self>>,
            ) -> Result<Column, BadColumn> {
                let values: Vec<_> = values.map(|value| value.map($out)).collect();
                Ok(named(name, &values))
            }

            fn values(name: &'static str, column: &Column) -> Result<Vec<Option<Self>>, BadColumn> {
                let values = column.$get().map_err(mistyped(name))?;
                Ok(values.iter().map(|value| value.map($into)).collect())
            }
        }
    };
}

plain!(String, ColumnType::Text, str, String::as_str, str::to_owned);
plain!(Vec<u8>, ColumnType::Bytes, binary, Vec::as_slice, <[u8]>::to_vec);
plain!(f64, ColumnType::Float64, f64, |value| *value, |value| value);
plain!(bool, ColumnType::Bool, bool, |value| *value, |value| value);

/// Implements [`Plain`] for an unsigned number, which lies on disk as a signed one.
macro_rules! whole {
    ($type:ty) => {
        impl Plain for $type {
            const TYPE: ColumnType = ColumnType::Int64;

            fn column<'v>(
                name: &'static str,
                values: impl Iterator<Item = Option<&'v Self>>,
            ) -> Result<Column, BadColumn> {
                let values = values
                    .map(|value| value.map(|value| i64::try_from(*value)).transpose())
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(|_| BadColumn {
                        column: name,
                        reason: format!("a value is greater than {}", i64::MAX),
                    })?;
                Ok(named(name, &values))
            }

            fn values(name: &'static str, column: &Column) -> Result<Vec<Option<Self>>, BadColumn> {
                let values = column.i64().map_err(mistyped(name))?;
                values
                    .iter()
                    .map(|value| value.map(Self::try_from).transpose())
                    .collect::<Result<Vec<_>, _>>()
                    .map_err(|_| BadColumn {
                        column: name,
                        reason: format!("a value lies outside 0 to {}", Self::MAX),
                    })
            }
        }
    };
}

whole!(u32);
whole!(u64);
