//! Vectors as they are kept: one signed byte for each number, with the factor that brings the numbers back.

/// A vector of length 1 as bytes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantized {
    pub(crate) scale: f32,
    pub(crate) numbers: Vec<i8>,
}

impl Quantized {
    /// None where it has no direction.
    pub(crate) fn new(vector: &[f32]) -> Option<Self> {
        let length = vector.iter().map(|number| f64::from(*number).powi(2)).sum::<f64>().sqrt() as f32;
        let most = vector.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
        if !length.is_finite() || length <= 0.0 || most <= 0.0 {
            return None;
        }
        let numbers = vector.iter().map(|number| (number / most * 127.0).round() as i8).collect();
        Some(Self { scale: most / 127.0 / length, numbers })
    }

    /// The same, where what has no direction is near to nothing.
    pub(crate) fn kept(vector: &[f32]) -> Self {
        Self::new(vector).unwrap_or_else(|| Self { scale: 0.0, numbers: vec![0; vector.len()] })
    }

    /// The numbers as the database keeps them.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.numbers.iter().map(|number| number.cast_unsigned()).collect()
    }
}

/// The sum of products of numbers as the database keeps them and of a query's. Both have the same length.
// Inlined into the loop over all vectors, it is compiled without vector instructions by the release profile and takes three times as long.
#[inline(never)]
pub(crate) fn dot(kept: &[u8], query: &[i8]) -> i32 {
    // Sixteen sums at once, which the compiler turns into vector instructions.
    let mut sums = [0_i32; 16];
    let (a, b) = (kept.as_chunks::<16>(), query.as_chunks::<16>());
    for (left, right) in a.0.iter().zip(b.0) {
        for place in 0..16 {
            sums[place] += i32::from(i16::from(left[place].cast_signed()) * i16::from(right[place]));
        }
    }
    let rest: i32 = a.1.iter().zip(b.1).map(|(left, right)| i32::from(left.cast_signed()) * i32::from(*right)).sum();
    sums.iter().sum::<i32>() + rest
}
