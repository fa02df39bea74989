//! Rows of bits, searched 64 at a time.

/// One bit for each place of a number of rows, all set at first.
///
/// A set bit stands on either side of each row and is never cleared, so that a search along a row always ends
/// without a test for the end of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BitRows {
    words: Vec<u64>,
    words_a_row: usize,
}

/// Neighbouring places of a row whose bits lie in one word.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stretch {
    /// The first place.
    pub first: i32,
    /// The last place.
    pub last: i32,
    /// The place of the lowest bit of the word; up to 63 before the first.
    pub lowest: i32,
}

impl Stretch {
    /// The stretches that the places from `first` to `last`, which are on the map, fall into.
    pub fn between(first: i32, last: i32) -> impl Iterator<Item = Self> {
        let words = (first + 1) / 64..=(last + 1) / 64;
        words.map(move |word| {
            let lowest = word * 64 - 1;
            Self { first: first.max(lowest), last: last.min(lowest + 63), lowest }
        })
    }

    /// The bits of these places.
    fn mask(self) -> u64 {
        let length = (self.last - self.first + 1) as u32;
        u64::MAX >> (64 - length) << (self.first - self.lowest)
    }
}

impl BitRows {
    /// All bits set.
    pub fn new(rows: u32, length: u32) -> Self {
        let words_a_row = (length as usize + 2).div_ceil(64);
        Self { words: vec![u64::MAX; rows as usize * words_a_row], words_a_row }
    }

    /// Whether the bit is set.
    #[inline]
    pub fn get(&self, row: i32, at: i32) -> bool {
        let (word, bit) = self.place(row, at);
        self.words[word] >> bit & 1 == 1
    }

    /// Sets one bit; returns whether it was not.
    pub fn set(&mut self, row: i32, at: i32) -> bool {
        let (word, bit) = self.place(row, at);
        let old = self.words[word];
        self.words[word] |= 1 << bit;
        self.words[word] != old
    }

    /// Sets or clears one bit, which must be that of a place of the row.
    #[inline]
    pub fn put(&mut self, row: i32, at: i32, is_set: bool) {
        let (word, bit) = self.place(row, at);
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(is_set) << bit;
    }

    /// Makes the bits of a stretch of a row those of a word, the lowest for the lowest place; returns how many were set, and how
    /// many are.
    #[inline]
    pub fn set_stretch(&mut self, row: i32, stretch: Stretch, bits: u64) -> (u32, u32) {
        let (word, _) = self.place(row, stretch.first);
        let mask = stretch.mask();
        let old = self.words[word];
        self.words[word] = old & !mask | bits & mask;
        ((old & mask).count_ones(), (bits & mask).count_ones())
    }

    /// The bits of all rows of this length one after the other, without those that stand beside them.
    ///
    /// Time: O(words).
    pub fn joined(&self, length: u32) -> Vec<u64> {
        let rows = self.words.len() / self.words_a_row;
        let length = length as usize;
        let mut joined = vec![0; (rows * length).div_ceil(64)];
        for (row, words) in self.words.chunks_exact(self.words_a_row).enumerate() {
            for first in (0..length).step_by(64) {
                // The bit of a row's first place is the second one of its first word.
                let (word, bit) = (first / 64, 1);
                let upper = words.get(word + 1).map_or(0, |&next| next << (64 - bit));
                let bits = (words[word] >> bit | upper) & u64::MAX >> (64 - (length - first).min(64));
                let at = row * length + first;
                joined[at / 64] |= bits << (at % 64);
                if let Some(next) = joined.get_mut(at / 64 + 1).filter(|_| !at.is_multiple_of(64)) {
                    *next |= bits >> (64 - at % 64);
                }
            }
        }
        joined
    }

    /// The place of the next set bit after `at`: at most the length of the row.
    #[inline]
    pub fn next(&self, row: i32, at: i32) -> i32 {
        let (mut word, bit) = self.place(row, at + 1);
        let mut bits = self.words[word] & u64::MAX << bit;
        while bits == 0 {
            word += 1;
            bits = self.words[word];
        }
        self.at(row, word, bits.trailing_zeros())
    }

    /// The place of the last set bit before `at`: at least -1.
    #[inline]
    pub fn previous(&self, row: i32, at: i32) -> i32 {
        let (mut word, bit) = self.place(row, at - 1);
        let mut bits = self.words[word] & u64::MAX >> (63 - bit);
        while bits == 0 {
            word -= 1;
            bits = self.words[word];
        }
        self.at(row, word, 63 - bits.leading_zeros())
    }

    /// The word and the bit of a place: places are shifted by the bit that stands before the row.
    #[inline]
    fn place(&self, row: i32, at: i32) -> (usize, u32) {
        let shifted = (at + 1) as usize;
        (row as usize * self.words_a_row + shifted / 64, (shifted % 64) as u32)
    }

    #[inline]
    fn at(&self, row: i32, word: usize, bit: u32) -> i32 {
        ((word - row as usize * self.words_a_row) * 64) as i32 + bit as i32 - 1
    }
}
