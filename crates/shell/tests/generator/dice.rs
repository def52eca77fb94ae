//! Random choices that a seed repeats exactly.
//!
//! Splitmix64: one word of state, no dependency, the same sequence on every machine.

/// A source of choices.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    state: u64,
}

impl Dice {
    pub(crate) const fn new(seed: u64) -> Dice {
        Dice { state: seed }
    }

    /// Dice for one numbered case, so that a case can be made again without those before it.
    pub(crate) fn for_case(seed: u64, case: usize) -> Dice {
        let mut dice = Dice::new(seed ^ (case as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        dice.roll();
        dice
    }

    pub(crate) fn roll(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or 0 if that is 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let roll = self.roll() >> 1;
        usize::try_from(roll).unwrap_or(usize::MAX).checked_rem(bound).unwrap_or(0)
    }

    /// True once in `times`.
    pub(crate) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the texts; the empty text if there are none.
    pub(crate) fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts.get(self.below(texts.len())).copied().unwrap_or_default()
    }
}
