//! When the next step is due.

/// How fast a search is played, and whether it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playback {
    pub is_playing: bool,
    /// Steps a second.
    speed: f64,
    /// The part of a step that is due.
    due: f64,
}

impl Default for Playback {
    fn default() -> Self {
        Self { is_playing: false, speed: 20.0, due: 0.0 }
    }
}

impl Playback {
    /// The slowest and the highest speed, in steps a second.
    pub const SPEEDS: (f64, f64) = (1.0, 5000.0);

    /// Steps a second.
    pub fn speed(&self) -> f64 {
        self.speed
    }

    /// Sets the speed; one out of range is the nearest one, and what is no number changes nothing.
    pub fn set_speed(&mut self, speed: f64) {
        if !speed.is_nan() {
            self.speed = speed.clamp(Self::SPEEDS.0, Self::SPEEDS.1);
        }
    }

    /// Starts or stops.
    pub fn toggle(&mut self) {
        *self = Self { is_playing: !self.is_playing, due: 0.0, ..*self };
    }

    /// How many steps are due after this many seconds more; none while it is stopped.
    ///
    /// After a long pause of the program it does not catch up with more than a second.
    pub fn steps_after(&mut self, seconds: f64) -> usize {
        if !self.is_playing {
            return 0;
        }
        self.due += self.speed * seconds.clamp(0.0, 1.0);
        let steps = self.due.floor();
        self.due -= steps;
        steps as usize
    }
}
