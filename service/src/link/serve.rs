//! The other end of a link: a replica that connected asks, and hears what happens here.

use std::{io, time::Instant};

use futures_util::{StreamExt, future::BoxFuture, stream::FuturesUnordered};
use tokio::{
    sync::broadcast::{self, error::RecvError},
    time::{self, MissedTickBehavior},
};

use super::{Handler, KEEP_ALIVE, LARGEST, News, SILENCE, frame::Frame, seal::Link, send};

/// A record is sent when it has become this long.
const FULL: usize = 64 * 1024;
/// How many requests of one replica are carried out at the same time.
const REQUESTS: usize = 8_192;

/// Answers requests and sends news, until the link breaks down.
pub(super) async fn serve(
    link: Link,
    mut news: broadcast::Receiver<News>,
    handler: &dyn Handler,
) -> io::Result<()> {
    let Link { mut reader, mut writer, .. } = link;
    let mut working: FuturesUnordered<BoxFuture<'_, (u64, Vec<u8>)>> = FuturesUnordered::new();
    let mut record = Vec::new();
    let mut keep_alive = time::interval(KEEP_ALIVE);
    keep_alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    loop {
        tokio::select! {
            biased;
            Some((number, answer)) = working.next(), if record.len() < FULL => {
                // The other end does without an answer that is too large.
                let answer = if answer.len() > LARGEST { &[] } else { answer.as_slice() };
                Frame::Answer(number, answer).append_to(&mut record);
            }
            told = news.recv(), if record.len() < FULL => match told {
                Ok(told) => Frame::News(&told).append_to(&mut record),
                // News are hints: the other end looks for itself as well.
                Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return Ok(()),
            },
            // Everything that is ready is in the record.
            () = std::future::ready(()), if !record.is_empty() => {
                send(&mut writer, &record).await?;
                record.clear();
            }
            asked = reader.next(), if working.len() < REQUESTS => {
                heard = Instant::now();
                for frame in Frame::all(&asked?) {
                    let Some(Frame::Request(number, body)) = frame else {
                        return Err(io::ErrorKind::InvalidData.into());
                    };
                    let answering = handler.answer(body.to_vec());
                    working.push(Box::pin(async move { (number, answering.await) }));
                }
            }
            _ = keep_alive.tick() => {
                if heard.elapsed() > SILENCE {
                    return Err(io::ErrorKind::TimedOut.into());
                }
                send(&mut writer, &[]).await?;
            }
        }
    }
}
