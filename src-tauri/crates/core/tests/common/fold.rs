//! Runs to which the question is given like every other input, as journals hold it.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use nexi_core::ports::{ApproximateTokens, TokenCounter};
use nexi_core::run::{AnyRun, Asked, DeepRun, Effect, Input, Run};

pub trait Begins: Sized {
    fn begun(asked: Asked, counter: Arc<dyn TokenCounter>) -> (Self, Vec<Effect>);
    fn take(&mut self, input: Input) -> Vec<Effect>;
}

macro_rules! begins {
    ($($run:ty),*) => {$(
        impl Begins for $run {
            fn begun(asked: Asked, counter: Arc<dyn TokenCounter>) -> (Self, Vec<Effect>) {
                Self::begin(asked, counter)
            }

            fn take(&mut self, input: Input) -> Vec<Effect> {
                self.step(input)
            }
        }
    )*};
}

begins!(Run, DeepRun, AnyRun);

/// A run, once it has begun.
pub struct Fold<R>(Option<R>);

impl<R: Begins> Fold<R> {
    pub fn new() -> Self {
        Self(None)
    }

    /// Before the question nothing happens, whatever comes.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        match (&mut self.0, input) {
            (None, Input::Asked { asked }) => {
                let (run, effects) = R::begun(*asked, Arc::new(ApproximateTokens));
                self.0 = Some(run);
                effects
            }
            (None, _) => Vec::new(),
            (Some(run), input) => run.take(input),
        }
    }
}

impl<R> Deref for Fold<R> {
    type Target = R;

    fn deref(&self) -> &R {
        self.0.as_ref().expect("the question comes first")
    }
}

impl<R> DerefMut for Fold<R> {
    fn deref_mut(&mut self) -> &mut R {
        self.0.as_mut().expect("the question comes first")
    }
}
