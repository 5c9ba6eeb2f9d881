//! Exact arithmetic on decimals, so that 0.1 + 0.2 style surprises and lost
//! digits of long numbers can't decide a score.

use std::cmp::Ordering;

/// A decimal of any length. Equal values have equal fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    negative: bool,
    /// 0 to 9, most significant first, without zeros at either end; empty for
    /// zero.
    digits: Vec<u8>,
    /// The power of ten of the last digit; 0 for zero.
    exponent: i64,
}

impl Decimal {
    /// The number that `digits` (0 to 9 each) spell, times 10 to `exponent`.
    pub(crate) fn new(negative: bool, mut digits: Vec<u8>, mut exponent: i64) -> Decimal {
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        let zeros = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..zeros);
        if digits.is_empty() {
            return Decimal {
                negative: false,
                digits,
                exponent: 0,
            };
        }
        Decimal {
            negative,
            digits,
            exponent,
        }
    }

    pub(crate) fn from_integer(negative: bool, value: u128) -> Decimal {
        let digits = value.to_string().bytes().map(|byte| byte - b'0').collect();
        Decimal::new(negative, digits, 0)
    }

    /// The shortest decimal that reads back as this double, which is how
    /// people write it. `value` is finite.
    pub(crate) fn from_double(value: f64) -> Decimal {
        let text = format!("{:e}", value.abs());
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let fraction = mantissa
            .split_once('.')
            .map_or(0, |(_, fraction)| fraction.len());
        let digits = mantissa.bytes().filter(u8::is_ascii_digit);
        Decimal::new(
            value < 0.0,
            digits.map(|byte| byte - b'0').collect(),
            exponent.parse().unwrap_or(0) - fraction as i64,
        )
    }

    pub(crate) fn magnitude(mut self) -> Decimal {
        self.negative = false;
        self
    }

    /// The product. Time is proportional to the product of the lengths, so one
    /// factor should be short.
    pub(crate) fn times(&self, other: &Decimal) -> Decimal {
        let mut product = vec![0u8; self.digits.len() + other.digits.len()];
        for (i, &left) in self.digits.iter().enumerate().rev() {
            let mut carry = 0;
            for (j, &right) in other.digits.iter().enumerate().rev() {
                let sum = product[i + j + 1] + left * right + carry;
                product[i + j + 1] = sum % 10;
                carry = sum / 10;
            }
            product[i] += carry;
        }
        Decimal::new(
            self.negative != other.negative,
            product,
            self.exponent + other.exponent,
        )
    }

    /// How far apart the two are; never negative.
    pub(crate) fn distance(&self, other: &Decimal) -> Decimal {
        let last = self.exponent.min(other.exponent);
        let length = (self.top().max(other.top()) - last) as usize;
        let mut left = self.aligned(last, length);
        let mut right = other.aligned(last, length);
        if self.negative != other.negative {
            return Decimal::new(false, add(&left, &right), last);
        }
        if left < right {
            std::mem::swap(&mut left, &mut right);
        }
        Decimal::new(false, subtract(&left, &right), last)
    }

    /// Compares two that aren't negative.
    pub(crate) fn compare_magnitude(&self, other: &Decimal) -> Ordering {
        match (self.digits.is_empty(), other.digits.is_empty()) {
            (true, true) => Ordering::Equal,
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
            // Without zeros in front, the longer of two with one top is larger
            // exactly if the shorter is its beginning, as slices compare.
            (false, false) => (self.top(), &self.digits).cmp(&(other.top(), &other.digits)),
        }
    }

    /// One more than the power of ten of the first digit.
    fn top(&self) -> i64 {
        self.exponent + self.digits.len() as i64
    }

    /// `length` digits of which the last has the power of ten `last`.
    fn aligned(&self, last: i64, length: usize) -> Vec<u8> {
        let zeros_behind = (self.exponent - last) as usize;
        let zeros_before = length - zeros_behind - self.digits.len();
        let mut digits = vec![0; zeros_before];
        digits.extend(&self.digits);
        digits.resize(length, 0);
        digits
    }
}

fn add(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut sum = vec![0; left.len() + 1];
    let mut carry = 0;
    for i in (0..left.len()).rev() {
        let digit = left[i] + right[i] + carry;
        sum[i + 1] = digit % 10;
        carry = digit / 10;
    }
    sum[0] = carry;
    sum
}

/// `left` is at least `right`.
fn subtract(left: &[u8], right: &[u8]) -> Vec<u8> {
    let mut difference = vec![0; left.len()];
    let mut borrow = 0;
    for i in (0..left.len()).rev() {
        let digit = 10 + left[i] - right[i] - borrow;
        difference[i] = digit % 10;
        borrow = u8::from(digit < 10);
    }
    difference
}
