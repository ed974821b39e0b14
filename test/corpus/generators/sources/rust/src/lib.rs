//! Reads tide gauges and predicts heights.
//!
//! # Example
//!
//! ```
//! use skerry::{read, Datum};
//!
//! let heights = read("hallig", 3600).unwrap();
//! assert!(heights.is_empty());
//! let _ = Datum::Lat;
//! ```
//!
//! # Features
//!
//! | Feature | Default | Meaning |
//! |---------|---------|---------|
//! | `serial` | yes | Gauges on a serial line |
//! | `modbus` | no | Pressure sensors |
//!
//! Heights are metres above the [`Datum`] of the station.[^1]
//!
//! [^1]: Which is the lowest astronomical tide unless the station says otherwise.

pub mod curve;

/// The level from which heights are counted.
///
/// Each country chose its own.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Datum {
    /// Lowest astronomical tide.
    Lat,
    /// Mean low water springs.
    Mlws,
    /// A level of your own.
    Custom {
        /// Metres above the lowest astronomical tide.
        offset: f64,
    },
}

/// One level at one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Seconds since the epoch.
    pub time: u64,
    /// Metres above chart datum.
    pub height: f64,
}

impl Reading {
    /// Makes a reading.
    ///
    /// # Panics
    ///
    /// Panics if `height` is not a number.
    ///
    /// # Examples
    ///
    /// ```
    /// use skerry::Reading;
    ///
    /// let reading = Reading::new(0, 1.5);
    /// assert_eq!(reading.height, 1.5);
    /// ```
    pub fn new(time: u64, height: f64) -> Self {
        assert!(!height.is_nan());
        Reading { time, height }
    }

    /// Says by how many metres this reading is above another.
    #[must_use]
    pub fn above(&self, other: &Reading) -> f64 {
        self.height - other.height
    }
}

/// What can be read.
///
/// Implement it for instruments of your own:
///
/// ```
/// struct Stick;
///
/// impl skerry::Gauge for Stick {
///     type Error = ();
///     fn level(&mut self) -> Result<f64, ()> {
///         Ok(1.0)
///     }
/// }
/// ```
pub trait Gauge {
    /// What can go wrong.
    type Error;

    /// Seconds between two readings.
    const INTERVAL: u32 = 60;

    /// Measures the level once.
    ///
    /// # Errors
    ///
    /// Fails when the line is dead.
    fn level(&mut self) -> Result<f64, Self::Error>;

    /// Measures several times and takes the median.
    fn median(&mut self, times: usize) -> Result<f64, Self::Error> {
        let _ = times;
        self.level()
    }
}

/// What goes wrong on the way to a gauge.
#[derive(Debug)]
pub struct GaugeError {
    /// The code of the driver, as `E01`.
    pub code: String,
}

/// Reads what a gauge has stored.
///
/// The oldest reading comes first. `since` is in seconds.
///
/// # Errors
///
/// | Code | Cause |
/// |------|-------|
/// | `E01` | The line is dead |
/// | `E07` | The clock is off |
///
/// <div class="warning">Do not call this more than once a second.</div>
pub fn read(station: &str, since: u64) -> Result<Vec<Reading>, GaugeError> {
    let _ = (station, since);
    Ok(Vec::new())
}

/// Guesses a height.
#[deprecated(since = "2.0.0", note = "use `curve::predict`, which knows")]
pub fn guess() -> f64 {
    0.0
}

/// The name of the sample station.
pub const SAMPLE: &str = "hallig";

/// What functions of this crate give back.
pub type Outcome<T> = Result<T, GaugeError>;

/// Makes a list of readings from pairs.
///
/// ```
/// let list = skerry::readings![(0, 1.0), (60, 1.2)];
/// assert_eq!(list.len(), 2);
/// ```
#[macro_export]
macro_rules! readings {
    ($(($time:expr, $height:expr)),* $(,)?) => {
        vec![$($crate::Reading::new($time, $height)),*]
    };
}
