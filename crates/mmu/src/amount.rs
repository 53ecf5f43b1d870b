//! Exact sums of money, for the limits of standing approvals.

/// How many digits behind the point are kept. Amounts with more fit no limit.
const FRACTION: usize = 9;
/// The most digits in front of the point.
const WHOLE: usize = 18;

/// A non-negative amount, exact to nine digits behind the point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Amount(u64, u32);

const UNIT: u32 = 1_000_000_000;

impl Amount {
    /// Reads plain digits with an optional fraction, as tools are called with. `None`: a sign, an
    /// exponent, groups, a currency, or more digits than are exact.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        let plain = |digits: &str, most: usize| {
            let digit = |byte: u8| byte.is_ascii_digit();
            (1..=most).contains(&digits.len()) && digits.bytes().all(digit)
        };
        (plain(whole, WHOLE) && plain(fraction, FRACTION)).then_some(())?;
        let scale = 10_u32.pow(u32::try_from(FRACTION - fraction.len()).ok()?);
        Some(Self(whole.parse().ok()?, fraction.parse::<u32>().ok()? * scale))
    }

    /// The sum; `None` where it is too large.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let fraction = self.1 + other.1;
        let carry = u64::from(fraction >= UNIT);
        let whole = self.0.checked_add(other.0)?.checked_add(carry)?;
        Some(Self(whole, fraction % UNIT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_exact() {
        let amount = |text| Amount::parse(text).expect("it is plain");
        assert_eq!(amount("0.1").plus(amount("0.2")), Some(amount("0.3")));
        assert_eq!(amount("1.999999999").plus(amount("0.000000001")), Some(amount("2")));
        assert!(amount("9") < amount("10") && amount("10.5") > amount("10.05"));
        for text in ["", "-1", "+1", "1e3", "1,000", "$1", "1.", ".5", "1.0000000001", "1 ", "١"] {
            assert_eq!(Amount::parse(text), None, "{text:?}");
        }
        assert_eq!(Amount::parse(&"9".repeat(19)), None);
        assert_eq!(Amount(u64::MAX, 0).plus(Amount(1, 0)), None);
    }
}
