//! Where commands are executed: a match has a home among the replicas, and the others send its commands there. So its state and its
//! commits stay in one memory, and nobody has to read them back from the log.

use std::sync::Arc;

use domain::matches::{Command, Match};
use futures_util::future::BoxFuture;
use store::{Connection as _, event_log::WrittenEntry};
use uuid::Uuid;

use super::{
    CommandContext, Consistency, Executed, Matches,
    execute::{Attempt, executed},
    forward::{self, ForwardedCommand, Outcome},
    slot::{CommitKey, Slot, reweigh},
};
use crate::{
    error::{Error, Result},
    link::{Handler, NoAnswer, Peer},
    tasks::Shutdown,
};

/// What a home made of a command.
pub(super) enum Forwarded {
    /// It executed it.
    Executed(Executed),
    /// It is left to this replica to say why not, or to execute it.
    Left(Attempt),
}

impl Matches {
    /// Announces this replica to the others and keeps links to them, until told to stop.
    pub async fn announce_replica(&self, mut shutdown: Shutdown) {
        match &self.links {
            Some(links) => links.announce(&self.handler(), shutdown).await,
            None => shutdown.requested().await,
        }
    }

    /// Executes the commands that other replicas send, until told to stop.
    pub async fn accept_links(&self, mut shutdown: Shutdown) {
        match &self.links {
            Some(links) => links.accept(&self.handler(), shutdown).await,
            None => shutdown.requested().await,
        }
    }

    fn handler(&self) -> Arc<dyn Handler> {
        Arc::new(Host(Arc::new(self.clone())))
    }

    /// The replica that should execute the commands of a match, if it is another one. All matches of a feed have the same: two
    /// writers would make batches of half the size, and wait for each other at the end of the feed.
    pub(super) fn home(&self, match_id: Uuid) -> Option<Arc<Peer>> {
        let links = self.links.as_ref()?;
        let layout = self.log.database().layout();
        links.home(layout.stream_of(layout.lanes.of(match_id)).index())
    }

    /// Sends a command to the home of its match and applies what comes back.
    pub(super) async fn forward(
        &self,
        home: &Peer,
        slot: &Arc<Slot>,
        now: &Arc<Match>,
        command: &Command,
        context: &CommandContext,
    ) -> Forwarded {
        let known = now.version();
        let request = forward::encode(now.id(), known, command, context);
        let answer = match home.ask(request).await {
            Ok(answer) => forward::decode_answer(now.id(), &answer),
            Err(NoAnswer::Unasked) => {
                count("unasked");
                return Forwarded::Left(Attempt::default());
            }
            Err(NoAnswer::Unanswered) => None,
        };
        let Some(answer) = answer else {
            count("unanswered");
            return Forwarded::Left(Attempt { since: Some(known), is_certain: false });
        };
        let last = answer.commits.last().map(|last| last.command_id);
        match (answer.outcome, self.take_over(slot, now, &answer.commits)) {
            (Outcome::Executed, Ok(Some(executed))) if last == Some(context.command_id) => {
                count("executed");
                return Forwarded::Executed(executed);
            }
            (Outcome::Refused, Ok(_)) => {
                count("refused");
                return Forwarded::Left(Attempt { since: None, is_certain: true });
            }
            (Outcome::Failed, _) => home.failed(),
            (_, Ok(_)) => {}
            (_, Err(error)) => {
                tracing::error!(%error, id = %now.id(), "a home answers with commits that do not fit");
            }
        }
        count("declined");
        Forwarded::Left(Attempt { since: Some(known), is_certain: false })
    }

    /// Applies the commits that a home has sent, and returns the last of them as the result of a command.
    fn take_over(
        &self,
        slot: &Arc<Slot>,
        now: &Arc<Match>,
        commits: &[domain::matches::Commit],
    ) -> Result<Option<Executed>> {
        let Some(last) = commits.last() else { return Ok(None) };
        let mut next = Match::clone(now);
        let mut events = Vec::new();
        for commit in commits {
            self.history.pass(&next, commit.version());
            events = next.apply(commit)?.events;
        }
        let next = Arc::new(next);
        slot.publish(&next, commits.iter().map(CommitKey::of), commits);
        reweigh(&self.slots, next.id(), slot);
        self.watchers.publish(&next, commits);
        Ok(Some(executed(next, events, CommitKey::of(last), false)))
    }

    /// Executes a command that another replica has sent, and returns the bytes of the answer.
    async fn execute_forwarded(&self, forwarded: ForwardedCommand) -> Vec<u8> {
        let only = |outcome| forward::encode_answer(outcome, std::iter::empty());
        let ForwardedCommand { match_id, known, command, context } = forwarded;
        // Replicas that take each other for the home of a match would wait for each other.
        if self.home(match_id).is_some() {
            return only(Outcome::Declined);
        }
        let slot = match self.find(match_id, Consistency::Memory).await {
            Ok(Some(live)) => live.slot,
            Ok(None) => return only(Outcome::Declined),
            Err(_) => return only(Outcome::Failed),
        };
        let _turn = slot.turn.lock().await;
        slot.keep_recent();
        let attempt = Attempt { since: Some(known), is_certain: false };
        let result = self.carry_out(&slot, &command, &context, attempt, |_| ()).await;
        let (outcome, until) = match result {
            Ok((executed, ())) if !executed.replayed => {
                (Outcome::Executed, executed.after.version())
            }
            Ok(_) | Err(Error::KeyReused) => (Outcome::Refused, u64::MAX),
            Err(error) if error.is_refusal() => (Outcome::Refused, u64::MAX),
            Err(Error::Contended) => return only(Outcome::Declined),
            Err(_) => return only(Outcome::Failed),
        };
        let answer = slot.with_recent(known, |commits| {
            forward::encode_answer(outcome, commits.filter(|commit| commit.version() <= until))
        });
        answer.map_or_else(|| only(Outcome::Declined), |(_, answer)| answer)
    }

    /// Notes what another replica has written. Readers read it when they need it, and watchers at once.
    fn hear(&self, entry: WrittenEntry) {
        if self.note(&entry.commits) {
            // If too much waits there, the feed is read instead.
            let _ = self.news.sender.try_send(entry);
        } else {
            self.log.progress().confirm(entry.id);
            self.feed_grown.send_modify(|count| *count += 1);
        }
    }

    /// Notes commits at the matches in memory. Returns whether somebody watches one of the matches.
    pub(super) fn note(&self, commits: &[(Uuid, u64)]) -> bool {
        let mut is_watched = false;
        for (id, seq) in commits {
            if let Some(live) = self.slots.peek(id) {
                // Before anybody is asked who watches: a watcher first says so and then looks at this.
                live.slot.announce(*seq);
            }
            is_watched |= self.watchers.is_watched(*id);
        }
        is_watched
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("telar_forwarded_total", "outcome" => outcome).increment(1);
}

/// Answers other replicas.
#[derive(Debug)]
struct Host(Arc<Matches>);

impl Handler for Host {
    fn answer(&self, request: Vec<u8>) -> BoxFuture<'static, Vec<u8>> {
        let matches = Arc::clone(&self.0);
        Box::pin(async move {
            match forward::decode(&request) {
                Some(forwarded) => matches.execute_forwarded(forwarded).await,
                // A replica of another version.
                None => Vec::new(),
            }
        })
    }

    fn hear(&self, from: Uuid, news: &[u8]) {
        if let Some(entry) = WrittenEntry::from_bytes(news) {
            self.0.hear(entry);
        } else {
            tracing::warn!(%from, "ignoring unknown news of another replica");
        }
    }
}
