//! The runtime that the sockets of a pool belong to.
//!
//! A socket works only as long as the runtime that it was opened in. Every thread that serves requests has a runtime of its own,
//! which ends before the background tasks do: a connection that a request has opened would end under a task that uses it.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use tokio::runtime::Handle;

/// The runtime in which a pool was opened.
#[derive(Debug, Clone)]
pub(crate) struct Home(Handle);

impl Home {
    /// The runtime of the caller.
    pub(crate) fn here() -> Self {
        Self(Handle::current())
    }

    /// Does work such that everything that it opens or spawns belongs to this runtime, wherever it is done.
    pub(crate) fn host<F: Future>(&self, work: F) -> Hosted<F> {
        Hosted { home: self.0.clone(), work: Some(Box::pin(work)) }
    }
}

/// Work whose sockets, timers and tasks belong to another runtime than the one that does it.
#[derive(Debug)]
pub(crate) struct Hosted<F> {
    home: Handle,
    /// There until this is dropped.
    work: Option<Pin<Box<F>>>,
}

impl<F: Future> Future for Hosted<F> {
    type Output = F::Output;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Self { home, work } = self.get_mut();
        let _entered = home.enter();
        work.as_mut().expect("it was not dropped").as_mut().poll(context)
    }
}

impl<F> Drop for Hosted<F> {
    /// A connection goes back to its pool in a task of its own.
    fn drop(&mut self) {
        let _entered = self.home.enter();
        drop(self.work.take());
    }
}
