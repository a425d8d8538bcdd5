//! Commands: decided on the match in memory, written to the log, published, and only then answered.

use std::{
    collections::HashMap,
    sync::{Arc, LazyLock},
};

use domain::{
    games,
    matches::{Command, Commit, Create, Decision, Event, Match, Refused},
};
use futures_util::future;
use metrics::Counter;
use store::event_log::{Appended, Fate};
use tokio::sync::watch;
use uuid::Uuid;

use super::{
    BotCalls, CommandContext, Consistency, Executed, LiveMatch, Matches, Watchers, forward,
    home::Forwarded,
    slot::{CommitKey, Slot, SlotCache, reweigh},
};
use crate::error::{Error, RefusedCommand, Result};

/// How often a command is decided again after another replica was faster.
const TRIES: usize = 4;

/// The counters of stored commands by game: looked up once, not for every command.
static STORED: LazyLock<HashMap<&str, Counter>> = LazyLock::new(|| {
    let keys = games::all().map(|game| game.info().key);
    keys.map(|key| (key, metrics::counter!("telar_commits_total", "game" => key))).collect()
});

/// What is known about a command that is to be executed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Attempt {
    /// Another replica may have executed it upon this version or a later one.
    pub(super) since: Option<u64>,
    /// Whether the match in memory is as current as the log was after the command came.
    pub(super) is_certain: bool,
}

impl Matches {
    /// Creates a match. A second creation under the same id finds the first.
    pub async fn create(&self, create: Create<'_>, context: &CommandContext) -> Result<Executed> {
        let (id, game) = (create.id, create.game.info().key);
        let decision = Match::create(create, context.at).map_err(|refused| {
            Error::Refused(Box::new(RefusedCommand {
                refused,
                game,
                position: None,
                is_move: false,
            }))
        })?;
        let slot = self.slot(id);
        let _turn = slot.turn.lock().await;
        let (after, events, commit) = decision.into_commit(context.command_id);
        let (key, after) = (CommitKey::of(&commit), Arc::new(after));
        let place = self.log.reserve()?;
        let publish = self.publishing(&slot, &after, &commit);
        match place.append(commit, None, &after, publish).await? {
            Appended::Written => Ok(executed(after, events, key, false)),
            Appended::Lost => self.first_result(id, 0).await,
        }
    }

    /// Executes a command; nothing if there is no such match.
    pub async fn execute(
        &self,
        id: Uuid,
        command: &Command,
        context: &CommandContext,
    ) -> Result<Option<Executed>> {
        let Some(live) = self.find(id, Consistency::Memory).await? else { return Ok(None) };
        let (executed, ()) = self.execute_live(&live, command, context, |_| ()).await?;
        Ok(Some(executed))
    }

    /// Executes a command, and renders its result while that is being written. What was rendered is returned only if the
    /// command is in the log.
    pub async fn execute_live<T>(
        &self,
        live: &LiveMatch,
        command: &Command,
        context: &CommandContext,
        render: impl Fn(&Executed) -> T,
    ) -> Result<(Executed, T)> {
        let slot = &live.slot;
        let _turn = slot.turn.lock().await;
        let mut attempt = Attempt::default();
        if forward::is_forwarded(command)
            && let Some(home) = self.home(live.now.id())
            && slot.seq_of(context.command_id).is_none()
        {
            let now = slot.now().unwrap_or_else(|| Arc::clone(&live.now));
            match self.forward(&home, slot, &now, command, context).await {
                Forwarded::Executed(executed) => {
                    let rendered = render(&executed);
                    return Ok((executed, rendered));
                }
                Forwarded::Left(left) => attempt = left,
            }
        }
        self.carry_out(slot, command, context, attempt, render).await
    }

    /// Executes a command here. Its caller has the turn of the slot, whose match is in memory.
    pub(super) async fn carry_out<T>(
        &self,
        slot: &Arc<Slot>,
        command: &Command,
        context: &CommandContext,
        attempt: Attempt,
        render: impl Fn(&Executed) -> T,
    ) -> Result<(Executed, T)> {
        let mut now = slot.now().expect("a slot that is commanded holds a match");
        let is_behind = attempt.since.is_some_and(|since| now.version() < since);
        if slot.is_ahead_of(&now) || is_behind {
            now = self.catch_up(slot, &now).await?;
        }
        // On a shared store the match in memory may be outdated; then a refusal is not final.
        let mut certain = attempt.is_certain || !self.log.is_shared();
        for _ in 0..TRIES {
            if let Some(seq) = slot.seq_of(context.command_id) {
                let executed = self.retried(now.id(), seq, command).await?;
                let rendered = render(&executed);
                return Ok((executed, rendered));
            }
            if let Some(since) = attempt.since {
                let done;
                (now, done) = self.look_for(slot, &now, since, context.command_id).await?;
                if let Some(seq) = done {
                    let executed = self.first_result(now.id(), seq).await?;
                    let executed = Executed { replayed: false, ..executed };
                    let rendered = render(&executed);
                    return Ok((executed, rendered));
                }
            }
            let decision = match decide(&now, command, context) {
                Ok(decision) => decision,
                Err(error) if certain => return Err(error),
                Err(_) => {
                    now = self.catch_up(slot, &now).await?;
                    certain = true;
                    continue;
                }
            };
            let (after, events, commit) = decision.into_commit(context.command_id);
            let (key, after) = (CommitKey::of(&commit), Arc::new(after));
            let place = self.log.reserve()?;
            let publish = self.publishing(slot, &after, &commit);
            let executed = executed(after, events, key, false);
            // The commit is on its way to the store first.
            let append = place.append(commit, Some(&now), &executed.after, publish);
            let (appended, rendered) = future::join(append, async { render(&executed) }).await;
            match appended? {
                Appended::Written => {
                    self.history.pass(&now, executed.after.version());
                    let key = executed.after.game().info().key;
                    STORED.get(key).expect("every registered game has a counter").increment(1);
                    return Ok((executed, rendered));
                }
                Appended::Lost => {
                    metrics::counter!("telar_lost_races_total").increment(1);
                    now = self.catch_up(slot, &now).await?;
                    certain = true;
                }
            }
        }
        Err(Error::Contended)
    }

    /// Looks for a command in the commits of a match from a version on. Returns the match after all of these commits, and the
    /// sequence number of the command if it is among them.
    async fn look_for(
        &self,
        slot: &Arc<Slot>,
        now: &Arc<Match>,
        since: u64,
        command_id: Uuid,
    ) -> Result<(Arc<Match>, Option<u64>)> {
        let kept = slot.with_recent(since, |mut commits| {
            let done = Iterator::find(&mut commits, |commit| commit.command_id == command_id);
            done.map(|commit| commit.seq)
        });
        if let Some(found) = kept {
            return Ok(found);
        }
        let commits = self.catch_ups.read(&self.log, now.id(), since).await?;
        let done = commits.iter().find(|commit| commit.command_id == command_id);
        let newer = commits.partition_point(|commit| commit.seq < now.version());
        let now = self.apply(slot, now, &commits[newer..])?;
        slot.recall(since, &commits);
        Ok((now, done.map(|commit| commit.seq)))
    }

    /// Decides a command without executing it; nothing if there is no such match.
    pub async fn preview(
        &self,
        id: Uuid,
        command: &Command,
        context: &CommandContext,
    ) -> Result<Option<Decision>> {
        match self.get(id, Consistency::Store).await? {
            Some(now) => decide(&now, command, context).map(Some),
            None => Ok(None),
        }
    }

    /// What shows a match to readers and watchers as soon as its commit is in the log, whether or not the caller still waits
    /// for the answer.
    fn publishing(
        &self,
        slot: &Arc<Slot>,
        after: &Arc<Match>,
        commit: &Commit,
    ) -> impl FnOnce(Fate) + Send + 'static {
        let publication = Publication {
            slots: Arc::clone(&self.slots),
            slot: Arc::clone(slot),
            after: Arc::clone(after),
            key: CommitKey::of(commit),
            commit: (slot.keeps_recent() || self.watchers.is_watched(after.id()))
                .then(|| commit.clone()),
            watchers: Arc::clone(&self.watchers),
            feed_grown: Arc::clone(&self.feed_grown),
            bot_calls: Arc::clone(&self.bot_calls),
            is_certain: false,
        };
        move |fate| match fate {
            Fate::Written => publication.publish(),
            Fate::NotWritten => publication.discard(),
        }
    }

    /// The result of a command that was executed before, if it is the same command.
    async fn retried(&self, id: Uuid, seq: u64, command: &Command) -> Result<Executed> {
        let before = self.history.at(id, seq).await?;
        let commit = self.commit(id, seq).await?;
        let is_same = match before {
            Some(before) => {
                let again = before.decide(command, commit.at).map_err(|_| Error::KeyReused)?;
                let first = commit.read(Some(before.game()))?;
                again.command() == first.command.get() && commit.player == command.player()
            }
            None => false,
        };
        if is_same { self.first_result(id, seq).await } else { Err(Error::KeyReused) }
    }

    /// The result that the commit at `seq` had.
    async fn first_result(&self, id: Uuid, seq: u64) -> Result<Executed> {
        let mut after = self.history.at(id, seq).await?;
        let commit = self.commit(id, seq).await?;
        Match::append(&mut after, &commit)?;
        let after = after.ok_or_else(|| missing(id, seq))?;
        let events = commit.read(Some(after.game()))?.events;
        Ok(executed(Arc::new(after), events, CommitKey::of(&commit), true))
    }

    /// The commit at a sequence number that the log has.
    async fn commit(&self, id: Uuid, seq: u64) -> Result<Commit> {
        let commits = self.history.commits(id, seq..seq + 1).await?;
        commits.into_iter().find(|commit| commit.seq == seq).ok_or_else(|| missing(id, seq))
    }
}

/// A match to be published once its commit is in the log. If it is dropped before that, the commit may be in the log all the
/// same; then the match in memory is no longer trusted.
struct Publication {
    slots: Arc<SlotCache>,
    slot: Arc<Slot>,
    after: Arc<Match>,
    key: CommitKey,
    /// Only if somebody watches or the slot keeps it. Anybody who begins to watch in the meantime reads the commit from the log.
    commit: Option<Commit>,
    watchers: Arc<Watchers>,
    feed_grown: Arc<watch::Sender<u64>>,
    bot_calls: Arc<BotCalls>,
    is_certain: bool,
}

impl Publication {
    fn publish(mut self) {
        self.is_certain = true;
        let (id, after) = (self.after.id(), &self.after);
        let commit = self.commit.take();
        self.slot.publish(after, [self.key], commit.as_slice());
        reweigh(&self.slots, id, &self.slot);
        match commit {
            Some(commit) => self.watchers.publish(after, &[commit]),
            None => self.watchers.announce(id, after.version()),
        }
        self.feed_grown.send_modify(|count| *count += 1);
        if !after.bots_to_act().is_empty() {
            self.bot_calls.call(id, after.creator());
        }
    }

    /// The commit is not in the log, and the match stays as it was.
    fn discard(mut self) {
        self.is_certain = true;
    }
}

impl Drop for Publication {
    fn drop(&mut self) {
        if self.is_certain {
            return;
        }
        // Before the caller is told, so that it cannot read an older match afterwards.
        self.slot.doubt(self.key.seq);
        // Watchers read the log again.
        self.watchers.announce(self.after.id(), self.key.seq + 1);
    }
}

/// The error for a commit that should be in the log.
fn missing(match_id: Uuid, seq: u64) -> Error {
    let reason = "it is missing".to_owned();
    Error::Corrupt(domain::matches::Corrupt { match_id, seq, reason })
}

fn decide(now: &Match, command: &Command, context: &CommandContext) -> Result<Decision> {
    let decided = match &context.if_match {
        Some(versions) => now.decide_upon(versions, command, context.at),
        None => now.decide(command, context.at),
    };
    decided.map_err(|refused| match refused {
        Refused::Stale { current } => Error::Stale { version: current },
        refused => Error::Refused(Box::new(RefusedCommand {
            refused,
            game: now.game().info().key,
            position: Some((now.id(), now.version())),
            is_move: matches!(command, Command::Play { .. }),
        })),
    })
}

pub(super) fn executed(
    after: Arc<Match>,
    events: Vec<Event>,
    key: CommitKey,
    replayed: bool,
) -> Executed {
    Executed { after, events, first: key.seq + 1, at: key.at, replayed }
}
