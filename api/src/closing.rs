//! The end of the server, told beforehand: what would go on for ever ends by itself, so that a graceful stop does not wait for it.

use tokio::sync::watch;

/// Tells the server that it is about to end. So does dropping it.
#[derive(Debug)]
pub struct Closer(watch::Sender<bool>);

/// Knows whether the server is about to end.
#[derive(Debug, Clone)]
pub struct Closing(watch::Receiver<bool>);

/// Both ends.
#[must_use]
pub fn channel() -> (Closer, Closing) {
    let (closer, closing) = watch::channel(false);
    (Closer(closer), Closing(closing))
}

impl Closer {
    /// Says so.
    pub fn close(&self) {
        self.0.send_replace(true);
    }
}

impl Closing {
    /// Waits until the server is about to end.
    pub async fn told(&mut self) {
        // Nobody is left who could say it: that says it, too.
        let _ = self.0.wait_for(|closing| *closing).await;
    }

    /// Whether the server is about to end.
    #[must_use]
    pub fn is_told(&self) -> bool {
        *self.0.borrow() || self.0.has_changed().is_err()
    }
}
