//! Entries in the order of their priorities, but only roughly: in buckets of equal width.

/// How many buckets there are.
const BUCKETS: usize = 1024;
const WORDS: usize = BUCKETS / 64;

/// Buckets in a ring, from the current one on (Dial 1969).
///
/// Made for priorities that hardly ever fall: what belongs into an earlier bucket than the current one is the caller's to place.
/// Every bucket keeps its memory, so that the same search allocates nothing the next time.
#[derive(Clone, Debug)]
pub(super) struct BucketRing<E> {
    /// The buckets, each at its number modulo [`BUCKETS`]. None until one is needed: many searches end before that.
    buckets: Vec<Vec<E>>,
    /// A bit for each bucket that holds something; whether the current one's is set says nothing.
    filled: [u64; WORDS],
    /// The entries of later buckets with their priorities, and the number of the first of those buckets.
    far: Vec<(u64, E)>,
    nearest_far: u64,
    /// The number of a bucket is a priority without so many of its low bits, and without so many at least.
    shift: u32,
    least_shift: u32,
    current: u64,
    len: usize,
}

impl<E: Copy> BucketRing<E> {
    /// Buckets for 2 to the power of `least_shift` priorities each, or for more where they are very far apart.
    pub const fn new(least_shift: u32) -> Self {
        Self {
            buckets: Vec::new(),
            filled: [0; WORDS],
            far: Vec::new(),
            nearest_far: u64::MAX,
            shift: least_shift,
            least_shift,
            current: 0,
            len: 0,
        }
    }

    pub fn clear(&mut self) {
        self.drain(|_| {});
        self.shift = self.least_shift;
    }

    /// How many entries there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Makes the bucket of a priority the current one. There must be no entry.
    pub fn start_at(&mut self, priority: u64) {
        self.clear_bit(self.place());
        self.current = priority >> self.shift;
    }

    /// Puts an entry into its bucket; false, and it is not put anywhere, if that is the current one or comes before it.
    #[inline(always)]
    pub fn put(&mut self, priority: u64, entry: E) -> bool {
        let number = priority >> self.shift;
        if number <= self.current {
            return false;
        }
        self.put_from_current_on(number, priority, entry);
        true
    }

    /// Puts an entry into its bucket, or into the current one if that comes before it.
    #[inline(always)]
    pub fn put_late(&mut self, priority: u64, entry: E) {
        self.put_from_current_on((priority >> self.shift).max(self.current), priority, entry);
    }

    #[inline(always)]
    fn put_from_current_on(&mut self, number: u64, priority: u64, entry: E) {
        if number - self.current < BUCKETS as u64 {
            self.put_at(number as usize % BUCKETS, entry);
        } else {
            self.put_far(number, priority, entry);
        }
    }

    #[cold]
    fn put_far(&mut self, number: u64, priority: u64, entry: E) {
        self.len += 1;
        self.nearest_far = self.nearest_far.min(number);
        self.far.push((priority, entry));
    }

    /// Puts an entry into the current bucket, whatever its priority.
    #[inline]
    pub fn put_now(&mut self, entry: E) {
        self.put_at(self.place(), entry);
    }

    /// Takes what came last into the current bucket.
    #[inline]
    pub fn pop(&mut self) -> Option<E> {
        let entry = self.buckets.get_mut(self.current as usize % BUCKETS)?.pop()?;
        self.len -= 1;
        Some(entry)
    }

    /// What [`BucketRing::pop`] takes next.
    #[inline]
    pub fn peek(&self) -> Option<E> {
        self.buckets.get(self.place())?.last().copied()
    }

    /// Moves all that is in the current bucket to the end of a list.
    pub fn pop_all(&mut self, list: &mut Vec<E>) {
        if let Some(bucket) = self.buckets.get_mut(self.current as usize % BUCKETS) {
            self.len -= bucket.len();
            list.append(bucket);
        }
    }

    /// Goes on from the current bucket, which must be empty, to the next that holds something; false if there is none.
    #[inline(never)]
    pub fn advance(&mut self) -> bool {
        self.clear_bit(self.place());
        match self.next_filled() {
            Some(number) if number < self.nearest_far => self.current = number,
            _ if self.len > 0 => self.come_nearer(),
            _ => return false,
        }
        true
    }

    /// Takes all entries out, in no order.
    pub fn drain(&mut self, mut take: impl FnMut(E)) {
        self.far.drain(..).for_each(|(_, entry)| take(entry));
        for (word, filled) in self.filled.iter_mut().enumerate() {
            while *filled != 0 {
                self.buckets[word * 64 + filled.trailing_zeros() as usize].drain(..).for_each(&mut take);
                *filled &= *filled - 1;
            }
        }
        self.nearest_far = u64::MAX;
        self.len = 0;
    }

    #[inline]
    fn place(&self) -> usize {
        self.current as usize % BUCKETS
    }

    #[inline]
    fn clear_bit(&mut self, place: usize) {
        self.filled[place / 64] &= !(1 << (place % 64));
    }

    #[inline(always)]
    fn put_at(&mut self, place: usize, entry: E) {
        self.len += 1;
        let Some(bucket) = self.buckets.get_mut(place) else {
            return self.make_buckets(place, entry);
        };
        if bucket.is_empty() {
            self.filled[place / 64] |= 1 << (place % 64);
        }
        bucket.push(entry);
    }

    #[cold]
    fn make_buckets(&mut self, place: usize, entry: E) {
        self.buckets.resize(BUCKETS, Vec::new());
        self.filled[place / 64] |= 1 << (place % 64);
        self.buckets[place].push(entry);
    }

    /// The number of the next bucket that holds something.
    #[inline]
    fn next_filled(&self) -> Option<u64> {
        let first = (self.current + 1) as usize % BUCKETS;
        let bits = self.filled[first / 64] >> (first % 64);
        if bits != 0 {
            return Some(self.current + 1 + u64::from(bits.trailing_zeros()));
        }
        // The bits before the first one in its word come last of all, when the words have been gone round.
        (1..=WORDS).find_map(|after| {
            let bits = self.filled[(first / 64 + after) % WORDS];
            let ahead = after * 64 - first % 64 + bits.trailing_zeros() as usize;
            (bits != 0).then_some(self.current + 1 + ahead as u64)
        })
    }

    /// Makes the first bucket of those that are far, of which the next one that holds something is none, the current one, and puts into
    /// the ring what has a place there now.
    #[cold]
    fn come_nearer(&mut self) {
        let mut far = std::mem::take(&mut self.far);
        let near = std::mem::replace(&mut self.len, 0) - far.len();
        let least = far.iter().map(|&(priority, _)| priority).min().unwrap_or_default();
        let greatest = far.iter().map(|&(priority, _)| priority).max().unwrap_or_default();
        // What is in buckets already keeps their width. Else they are made so wide that all have a place within a few rounds.
        if near == 0 {
            let bits = u64::BITS - (greatest - least).leading_zeros();
            self.shift = self.shift.max(bits.saturating_sub(BUCKETS.ilog2() + 2));
        }
        self.current = least >> self.shift;
        self.nearest_far = u64::MAX;
        far.retain(|&(priority, entry)| {
            let number = priority >> self.shift;
            let is_far = number - self.current >= BUCKETS as u64;
            if is_far {
                self.nearest_far = self.nearest_far.min(number);
            } else {
                self.put_at(number as usize % BUCKETS, entry);
            }
            is_far
        });
        self.len += near + far.len();
        self.far = far;
    }
}
