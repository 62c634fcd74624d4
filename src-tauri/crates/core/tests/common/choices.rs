//! What a property test lets happen: the numbers that were drawn, as choices one after the other.

pub struct Choices {
    list: Vec<u32>,
    next: usize,
}

impl Choices {
    /// The list may not be empty; it is gone through again and again, shifted by one each time.
    pub fn new(list: Vec<u32>) -> Self {
        Self { list, next: 0 }
    }

    /// The next choice, smaller than `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        let choice = self.list[self.next % self.list.len()] as usize + self.next / self.list.len();
        self.next += 1;
        choice % limit.max(1)
    }
}
