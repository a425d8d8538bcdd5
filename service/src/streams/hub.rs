//! What concerns whom, on this replica: one task follows the feed while anybody listens, and hands every player's notices to that
//! player's streams.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use parking_lot::{Mutex, MutexGuard};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use serde::Serialize;
use store::{
    entities::{invitation, match_seat},
    event_log::FeedEntry,
};
use time::OffsetDateTime;
use tokio::sync::mpsc;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    clock::Clock,
    error::Result,
    live::Matches,
    notifications::{NotificationData, NotificationKind, StepReader},
    tasks::Shutdown,
};

/// How many notices may wait for a stream.
const QUEUE: usize = 256;
/// How many batches of the feed are looked at together.
const BATCHES: u64 = 100;
/// How many matches go into one statement.
const CHUNK: usize = 1_000;
/// How long nothing is heard before the hub looks by itself.
const POLL: Duration = Duration::from_secs(2);
/// How far back is looked for invitations, in microseconds: the clocks of replicas differ.
const LATELY: i64 = 60_000_000;

/// The most notices that one commit has for one player.
const NOTICES: usize = 16;

/// A place in the feed: which entry, and which notice in it; the last one if it is not said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FeedPosition {
    pos: u64,
    nth: usize,
}

impl FeedPosition {
    /// After the whole of an entry.
    #[must_use]
    pub const fn after(pos: u64) -> Self {
        Self { pos, nth: usize::MAX }
    }

    /// Reads what `to_string` wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('.') {
            Some((pos, nth)) => Some(Self { pos: pos.parse().ok()?, nth: nth.parse().ok()? }),
            None => Some(Self::after(text.parse().ok()?)),
        }
    }

    /// The last entry of which everything has been told.
    #[must_use]
    pub const fn whole(self) -> u64 {
        if self.nth == usize::MAX { self.pos } else { self.pos.saturating_sub(1) }
    }
}

impl std::fmt::Display for FeedPosition {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.nth {
            usize::MAX => write!(f, "{}", self.pos),
            nth => write!(f, "{}.{nth}", self.pos),
        }
    }
}

/// Something that concerns you.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Notification {
    /// What it is.
    #[serde(rename = "type")]
    pub kind: NotificationKind,
    /// What to resume after.
    #[serde(serialize_with = "as_text")]
    #[schema(value_type = String, example = "1207.1")]
    pub id: FeedPosition,
    /// When it happened.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// What it is about.
    pub data: NotificationData,
}

fn as_text<S: serde::Serializer>(position: &FeedPosition, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(position)
}

/// What a listener is told.
#[derive(Debug, Clone)]
pub enum HubMessage {
    /// What follows from the log.
    Notification(Arc<Notification>),
    /// An invitation; those are not in the log.
    Invitation(invitation::Model),
}

/// The listeners of this replica, and what they are told.
#[derive(Debug)]
pub struct Hub {
    matches: Matches,
    clock: Clock,
    steps: StepReader,
    listeners: Mutex<Listeners>,
    /// Says that somebody listens.
    called: tokio::sync::Notify,
}

#[derive(Debug, Default)]
struct Listeners {
    by_player: HashMap<Uuid, Vec<Ear>>,
    /// Invitations that have been told lately: match, player, and when.
    invited: HashMap<(Uuid, Uuid), i64>,
    /// The last entry that somebody who begins to listen now is not told; none while nobody listens.
    pos: Option<u64>,
    /// The last entry of which everything has been told. It is behind `pos` while notices are being worked out, and stays so
    /// if that fails or the task is killed: then they are worked out again.
    told: u64,
}

/// The other end of a listener.
#[derive(Debug)]
struct Ear {
    since: u64,
    sender: mpsc::Sender<HubMessage>,
}

/// Somebody who listens.
#[derive(Debug)]
pub struct Listener {
    /// Everything after this entry of the feed is told.
    pub since: u64,
    /// What is told; ends when too much of it was not read.
    pub told: mpsc::Receiver<HubMessage>,
}

impl Hub {
    /// Follows the feed of these matches while somebody listens.
    #[must_use]
    pub fn new(matches: &Matches, clock: Clock) -> Self {
        Self {
            matches: matches.clone(),
            clock,
            steps: StepReader::new(matches.log().clone()),
            listeners: Mutex::default(),
            called: tokio::sync::Notify::new(),
        }
    }

    /// Begins to listen for a player.
    pub async fn listen(&self, player: Uuid) -> Result<Listener> {
        let head = self.matches.log().feed_head().await?;
        let (sender, told) = mpsc::channel(QUEUE);
        let mut listeners = self.listeners();
        // What was in the feed before anybody listened is not told.
        let since = match listeners.pos {
            Some(pos) => pos,
            None => {
                listeners.told = head;
                *listeners.pos.insert(head)
            }
        };
        listeners.by_player.entry(player).or_default().push(Ear { since, sender });
        drop(listeners);
        self.called.notify_one();
        Ok(Listener { since, told })
    }

    /// What a player was to be told after a position and up to an entry.
    pub async fn missed(
        &self,
        player: Uuid,
        after: FeedPosition,
        until: u64,
    ) -> Result<Vec<Arc<Notification>>> {
        let mut notices = Vec::new();
        let mut pos = after.whole();
        while pos < until {
            let mut entries = self.matches.log().feed(pos, BATCHES).await?;
            entries.retain(|entry| entry.pos <= until);
            let Some(last) = entries.last().map(|entry| entry.pos) else { break };
            let players = HashSet::from([player]);
            for (_, notice) in self.notices(&entries, &players).await? {
                if notice.id > after {
                    notices.push(notice);
                }
            }
            pos = last;
        }
        Ok(notices)
    }

    /// Follows the feed whenever somebody listens, until told to stop.
    pub async fn run(&self, mut shutdown: Shutdown) {
        let mut grown = self.matches.feed_grown();
        loop {
            let told = async {
                self.follow().await?;
                self.invitations().await
            };
            if let Err(error) = told.await {
                tracing::warn!(%error, "cannot follow the feed for listeners");
                tokio::time::sleep(Duration::from_millis(200)).await;
            }
            let is_idle = self.listeners().pos.is_none();
            tokio::select! {
                () = shutdown.requested() => return,
                () = self.called.notified() => {}
                _ = grown.changed(), if !is_idle => {}
                () = tokio::time::sleep(POLL), if !is_idle => {}
            }
        }
    }

    /// Tells everything up to the end of the feed.
    async fn follow(&self) -> Result<()> {
        loop {
            let Some(told) = self.listening() else { return Ok(()) };
            let entries = self.matches.log().feed(told, BATCHES).await?;
            let Some(last) = entries.last().map(|entry| entry.pos) else { return Ok(()) };
            // A stream that begins to listen from here on looks by itself at what was before.
            let players: HashSet<Uuid> = {
                let mut listeners = self.listeners();
                listeners.pos = listeners.pos.max(Some(last));
                listeners.by_player.keys().copied().collect()
            };
            let notices = self.notices(&entries, &players).await?;
            let mut listeners = self.listeners();
            listeners.told = last;
            for (player, notice) in notices {
                let Some(ears) = listeners.by_player.get_mut(&player) else { continue };
                // Who does not read is no longer told, and notices.
                ears.retain(|ear| {
                    let told = HubMessage::Notification(Arc::clone(&notice));
                    notice.id.pos <= ear.since || ear.sender.try_send(told).is_ok()
                });
            }
        }
    }

    /// Says that somebody was invited.
    pub fn nudge(&self) {
        self.called.notify_one();
    }

    /// Tells of new invitations, by whichever replica they were made.
    async fn invitations(&self) -> Result<()> {
        if self.listening().is_none() {
            return Ok(());
        }
        let players: Vec<Uuid> = self.listeners().by_player.keys().copied().collect();
        let lately = self.clock.now().micros() - LATELY;
        for players in players.chunks(CHUNK) {
            let rows = invitation::Entity::find()
                .filter(invitation::Column::PlayerId.is_in(players.iter().copied()))
                .filter(invitation::Column::CreatedAt.gt(lately))
                .all(self.matches.log().database())
                .await?;
            let mut listeners = self.listeners();
            for row in rows {
                let key = (row.match_id, row.player_id);
                if listeners.invited.insert(key, row.created_at) == Some(row.created_at) {
                    continue;
                }
                if let Some(ears) = listeners.by_player.get_mut(&row.player_id) {
                    ears.retain(|ear| {
                        ear.sender.try_send(HubMessage::Invitation(row.clone())).is_ok()
                    });
                }
            }
        }
        self.listeners().invited.retain(|_, at| *at > lately);
        Ok(())
    }

    /// The entry after which the feed is to be read on, if anybody listens; forgets those who do not any more.
    fn listening(&self) -> Option<u64> {
        let mut listeners = self.listeners();
        listeners.by_player.retain(|_, ears| {
            ears.retain(|ear| !ear.sender.is_closed());
            !ears.is_empty()
        });
        if listeners.by_player.is_empty() {
            listeners.pos = None;
        }
        listeners.pos.map(|_| listeners.told)
    }

    /// What these entries tell to these players, in order.
    async fn notices(
        &self,
        entries: &[FeedEntry],
        players: &HashSet<Uuid>,
    ) -> Result<Vec<(Uuid, Arc<Notification>)>> {
        let ids: Vec<Uuid> = {
            let ids = entries.iter().flat_map(|entry| &entry.commits).map(|(id, _)| *id);
            ids.collect::<HashSet<_>>().into_iter().collect()
        };
        let mut concerned: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
        for ids in ids.chunks(CHUNK) {
            let mut seats = match_seat::Entity::find()
                .select_only()
                .columns([match_seat::Column::MatchId, match_seat::Column::PlayerId])
                .filter(match_seat::Column::MatchId.is_in(ids.iter().copied()));
            if players.len() <= 8 {
                seats = seats.filter(match_seat::Column::PlayerId.is_in(players.iter().copied()));
            }
            let seats: Vec<(Uuid, Option<Uuid>)> =
                seats.into_tuple().all(self.matches.log().database()).await?;
            for (id, player) in seats {
                if let Some(player) = player.filter(|player| players.contains(player)) {
                    concerned.entry(id).or_default().push(player);
                }
            }
        }
        let mut notices = Vec::new();
        for entry in entries {
            for (place, (id, seq)) in entry.commits.iter().enumerate() {
                let Some(players) = concerned.get(id) else { continue };
                let step = self.steps.step(*id, *seq).await?;
                for player in players {
                    // A player who sat down later is not told what was before.
                    if step.after().seat_of(*player).is_none() {
                        continue;
                    }
                    let told = step.notifications(*player).into_iter();
                    let told = told.filter(|(kind, _)| *kind != NotificationKind::Moved);
                    for (number, (kind, data)) in told.take(NOTICES).enumerate() {
                        let id = FeedPosition { pos: entry.pos, nth: place * NOTICES + number + 1 };
                        let notice = Notification { kind, id, at: step.at(), data };
                        notices.push((*player, Arc::new(notice)));
                    }
                }
            }
        }
        Ok(notices)
    }

    fn listeners(&self) -> MutexGuard<'_, Listeners> {
        self.listeners.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use domain::{
        games,
        matches::{Command, Create},
        time::Timestamp,
    };
    use futures_util::future::poll_immediate;

    use super::*;
    use crate::{
        live::CommandContext,
        testing::{Store, start_writer},
    };

    /// Whenever the task is killed, each notice is told once.
    #[tokio::test]
    async fn notices_are_told_once_even_if_the_task_is_killed_while_it_works_them_out() {
        let store = Store::new().await;
        start_writer(&store.log);
        let matches = store.matches().await;
        let hub = Hub::new(&matches, store.clock.clone());
        let (ana, ben, id) = (Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(7));
        let at = Timestamp::from_micros(1);
        let qwinto = games::find("qwinto").expect("a game");
        let create = Create::new(id, qwinto, 3, ana, [7; 32].into());
        matches.create(create, &CommandContext::new(id, at)).await.expect("a match");
        let mut listener = hub.listen(ana).await.expect("a listener");
        for steps in 0..24_u128 {
            let command = match steps % 2 {
                0 => Command::Sit { player: ben, seat: None, entropy: None, invite_code: None },
                _ => Command::Leave { player: ben },
            };
            let context = CommandContext::new(Uuid::from_u128(100 + steps), at);
            matches.execute(id, &command, &context).await.expect("a seat");
            {
                let mut killed = pin!(hub.follow());
                for _ in 0..=steps / 2 {
                    if poll_immediate(&mut killed).await.is_some() {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(2)).await;
                }
            }
            hub.follow().await.expect("the store answers");
            let told: Vec<HubMessage> =
                std::iter::from_fn(|| listener.told.try_recv().ok()).collect();
            let [HubMessage::Notification(notice)] = told.as_slice() else {
                panic!("after {steps} steps: {told:?}")
            };
            let kind = if steps % 2 == 0 { "match.seat_taken" } else { "match.seat_left" };
            assert_eq!(notice.kind.id(), kind);
        }
    }

    #[test]
    fn positions_are_read_as_they_are_written_and_keep_their_order() {
        for text in ["7", "7.1", "0", "12.30"] {
            assert_eq!(FeedPosition::parse(text).expect(text).to_string(), text);
        }
        for text in ["", "x", "7.", ".1", "-1"] {
            assert_eq!(FeedPosition::parse(text), None, "{text}");
        }
        let order = ["6", "7.1", "7.2", "7.10", "7", "8.1"].map(FeedPosition::parse);
        assert!(order.is_sorted());
        assert_eq!(FeedPosition::parse("7.1").map(FeedPosition::whole), Some(6));
        assert_eq!(FeedPosition::parse("7").map(FeedPosition::whole), Some(7));
    }
}
