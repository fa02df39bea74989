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

impl BitRows {
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

    pub fn set(&mut self, row: i32, at: i32, value: bool) {
        let (word, bit) = self.place(row, at);
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(value) << bit;
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
