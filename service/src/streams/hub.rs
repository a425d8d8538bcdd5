//! The hub: one task follows the feed while anybody listens, and hands every player's notifications to that player's streams on
//! this replica.

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use parking_lot::Mutex;
use serde::Serialize;
use store::{
    event_log::{FeedEntry, FeedPosition},
    invitations::{self, Invitation},
    matches,
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

/// How many messages may wait for a listener.
const QUEUE: usize = 256;
/// How many entries of the feed are read at once.
const ENTRIES: u64 = 100;
/// How long to wait for a sign of growth before polling.
const POLL: Duration = Duration::from_secs(2);
/// The pause after an error.
const BACK_OFF: Duration = Duration::from_millis(200);
/// How old invitations may be to count as new, in microseconds: the clocks of replicas differ.
const RECENT: i64 = 60_000_000;

/// The most notifications that one commit has for one player.
const PER_COMMIT: usize = 16;

/// Identifies a notification: its entry in the feed, and its number in the entry. Without a number, it is the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct NotificationId {
    entry: FeedPosition,
    number: usize,
}

impl NotificationId {
    /// The last notification of an entry.
    #[must_use]
    pub const fn last_of(entry: FeedPosition) -> Self {
        Self { entry, number: usize::MAX }
    }

    /// Reads what `to_string` wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text.split_once('.') {
            Some((entry, number)) => {
                Some(Self { entry: entry.parse().ok()?, number: number.parse().ok()? })
            }
            None => Some(Self::last_of(text.parse().ok()?)),
        }
    }

    /// The last entry whose notifications are all up to this one.
    #[must_use]
    pub const fn position(self) -> FeedPosition {
        if self.number == usize::MAX { self.entry } else { self.entry.previous() }
    }
}

impl std::fmt::Display for NotificationId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.number {
            usize::MAX => write!(f, "{}", self.entry),
            number => write!(f, "{}.{number}", self.entry),
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
    pub id: NotificationId,
    /// When it happened.
    #[serde(with = "time::serde::rfc3339")]
    pub at: OffsetDateTime,
    /// What it is about.
    pub data: NotificationData,
}

fn as_text<S: serde::Serializer>(id: &NotificationId, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(id)
}

/// A message to a listener.
#[derive(Debug, Clone)]
pub enum HubMessage {
    /// A notification that follows from the log.
    Notification(Arc<Notification>),
    /// An invitation; those are not in the log.
    Invitation(Invitation),
}

/// The listeners of this replica.
#[derive(Debug)]
pub struct Hub {
    matches: Matches,
    clock: Clock,
    steps: StepReader,
    listeners: Mutex<Listeners>,
    /// Wakes the task: somebody has begun to listen, or was invited.
    wake: tokio::sync::Notify,
}

#[derive(Debug, Default)]
struct Listeners {
    by_player: HashMap<Uuid, Vec<Subscription>>,
    /// The invitations of the last minute that were sent: when, by match and player.
    invited: HashMap<(Uuid, Uuid), i64>,
    /// The last entry that a new listener does not get; none while nobody listens.
    position: Option<FeedPosition>,
    /// The last entry whose notifications have all been sent. It is behind `position` while notifications are being produced,
    /// and stays so if that fails or the task is killed: then they are produced again.
    sent: FeedPosition,
}

/// The hub's end of a listener.
#[derive(Debug)]
struct Subscription {
    since: FeedPosition,
    sender: mpsc::Sender<HubMessage>,
}

/// A listener for the messages of one player.
#[derive(Debug)]
pub struct Listener {
    /// Every notification after this position is received.
    pub since: FeedPosition,
    /// The messages; closed when the listener reads too slowly.
    pub messages: mpsc::Receiver<HubMessage>,
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
            wake: tokio::sync::Notify::new(),
        }
    }

    /// Begins to listen for a player.
    pub async fn listen(&self, player: Uuid) -> Result<Listener> {
        let head = self.matches.log().feed_head().await?;
        let (sender, messages) = mpsc::channel(QUEUE);
        let mut listeners = self.listeners.lock();
        // If nobody has listened so far, the feed is followed from its end.
        let since = if let Some(position) = listeners.position {
            position
        } else {
            listeners.sent = head;
            *listeners.position.insert(head)
        };
        listeners.by_player.entry(player).or_default().push(Subscription { since, sender });
        drop(listeners);
        self.wake.notify_one();
        Ok(Listener { since, messages })
    }

    /// The notifications of a player after one of them and up to an entry.
    pub async fn missed(
        &self,
        player: Uuid,
        after: NotificationId,
        until: FeedPosition,
    ) -> Result<Vec<Arc<Notification>>> {
        let mut missed = Vec::new();
        let mut position = after.position();
        while position < until {
            let mut entries = self.matches.log().feed(position, ENTRIES).await?;
            entries.retain(|entry| entry.pos <= until);
            let Some(last) = entries.last().map(|entry| entry.pos) else { break };
            let players = BTreeSet::from([player]);
            let notifications = self.notifications(&entries, &players).await?.into_iter();
            missed.extend(notifications.map(|(_, it)| it).filter(|it| it.id > after));
            position = last;
        }
        Ok(missed)
    }

    /// Follows the feed whenever somebody listens, until told to stop.
    pub async fn run(&self, mut shutdown: Shutdown) {
        let mut grown = self.matches.feed_grown();
        loop {
            let sent = async {
                self.follow().await?;
                self.send_invitations().await
            };
            if let Err(error) = sent.await {
                tracing::warn!(%error, "cannot follow the feed for listeners");
                tokio::time::sleep(BACK_OFF).await;
            }
            let is_idle = self.listeners.lock().position.is_none();
            tokio::select! {
                () = shutdown.requested() => return,
                () = self.wake.notified() => {}
                _ = grown.changed(), if !is_idle => {}
                () = tokio::time::sleep(POLL), if !is_idle => {}
            }
        }
    }

    /// Sends all notifications up to the end of the feed.
    async fn follow(&self) -> Result<()> {
        loop {
            let Some(sent) = self.sent() else { return Ok(()) };
            let entries = self.matches.log().feed(sent, ENTRIES).await?;
            let Some(last) = entries.last().map(|entry| entry.pos) else { return Ok(()) };
            // Anybody who begins to listen from here on starts after these entries.
            let players: BTreeSet<Uuid> = {
                let mut listeners = self.listeners.lock();
                listeners.position = listeners.position.max(Some(last));
                listeners.by_player.keys().copied().collect()
            };
            let notifications = self.notifications(&entries, &players).await?;
            let mut listeners = self.listeners.lock();
            listeners.sent = last;
            for (player, notification) in notifications {
                let Some(subscriptions) = listeners.by_player.get_mut(&player) else { continue };
                // A listener whose queue is full is dropped, which closes its channel.
                subscriptions.retain(|subscription| {
                    let message = HubMessage::Notification(Arc::clone(&notification));
                    notification.id.entry <= subscription.since
                        || subscription.sender.try_send(message).is_ok()
                });
            }
        }
    }

    /// Wakes the hub after somebody was invited.
    pub fn nudge(&self) {
        self.wake.notify_one();
    }

    /// Sends new invitations, whichever replica they were made at.
    async fn send_invitations(&self) -> Result<()> {
        if self.sent().is_none() {
            return Ok(());
        }
        let players: Vec<Uuid> = self.listeners.lock().by_player.keys().copied().collect();
        let since = self.clock.now().micros() - RECENT;
        let recent = invitations::recent(self.matches.log().database(), &players, since).await?;
        let mut listeners = self.listeners.lock();
        for invitation in recent {
            let key = (invitation.match_id, invitation.player_id);
            let at = invitation.created_at;
            if listeners.invited.insert(key, at) == Some(at) {
                continue;
            }
            if let Some(subscriptions) = listeners.by_player.get_mut(&invitation.player_id) {
                subscriptions.retain(|subscription| {
                    let message = HubMessage::Invitation(invitation.clone());
                    subscription.sender.try_send(message).is_ok()
                });
            }
        }
        listeners.invited.retain(|_, at| *at > since);
        Ok(())
    }

    /// The last entry whose notifications have all been sent, if anybody listens; drops listeners that are gone.
    fn sent(&self) -> Option<FeedPosition> {
        let mut listeners = self.listeners.lock();
        listeners.by_player.retain(|_, subscriptions| {
            subscriptions.retain(|subscription| !subscription.sender.is_closed());
            !subscriptions.is_empty()
        });
        if listeners.by_player.is_empty() {
            listeners.position = None;
        }
        listeners.position.map(|_| listeners.sent)
    }

    /// The notifications of these players in these entries, in order.
    async fn notifications(
        &self,
        entries: &[FeedEntry],
        players: &BTreeSet<Uuid>,
    ) -> Result<Vec<(Uuid, Arc<Notification>)>> {
        let ids: HashSet<Uuid> =
            entries.iter().flat_map(|entry| &entry.commits).map(|(id, _)| *id).collect();
        let ids: Vec<Uuid> = ids.into_iter().collect();
        let mut concerned: HashMap<Uuid, Vec<Uuid>> = HashMap::new();
        let db = self.matches.log().database();
        for (id, player) in matches::seated(db, &ids, Some(players)).await? {
            concerned.entry(id).or_default().push(player);
        }
        let mut notifications = Vec::new();
        for entry in entries {
            for (index, (id, seq)) in entry.commits.iter().enumerate() {
                let Some(players) = concerned.get(id) else { continue };
                let step = self.steps.step(*id, *seq).await?;
                for player in players {
                    // A player is not notified of what happened before sitting down.
                    if step.after().seat_of(*player).is_none() {
                        continue;
                    }
                    let kinds = step.notifications(*player).into_iter();
                    let kinds = kinds.filter(|(kind, _)| *kind != NotificationKind::Moved);
                    for (nth, (kind, data)) in kinds.take(PER_COMMIT).enumerate() {
                        let number = index * PER_COMMIT + nth + 1;
                        let id = NotificationId { entry: entry.pos, number };
                        let notification = Notification { kind, id, at: step.at(), data };
                        notifications.push((*player, Arc::new(notification)));
                    }
                }
            }
        }
        Ok(notifications)
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

    #[tokio::test]
    async fn notifications_are_sent_once_even_if_the_task_is_killed_while_it_produces_them() {
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
            let sent: Vec<HubMessage> =
                std::iter::from_fn(|| listener.messages.try_recv().ok()).collect();
            let [HubMessage::Notification(notification)] = sent.as_slice() else {
                panic!("after {steps} steps: {sent:?}")
            };
            let kind = if steps % 2 == 0 { "match.seat_taken" } else { "match.seat_left" };
            assert_eq!(notification.kind.id(), kind);
        }
    }

    #[test]
    fn ids_are_read_as_they_are_written_and_keep_their_order() {
        for text in ["7", "7.1", "0", "12.30"] {
            assert_eq!(NotificationId::parse(text).expect(text).to_string(), text);
        }
        for text in ["", "x", "7.", ".1", "-1"] {
            assert_eq!(NotificationId::parse(text), None, "{text}");
        }
        let order = ["6", "7.1", "7.2", "7.10", "7", "8.1"].map(NotificationId::parse);
        assert!(order.is_sorted());
        let position = |text| NotificationId::parse(text).map(|id| id.position().to_string());
        assert_eq!(position("7.1").as_deref(), Some("6"));
        assert_eq!(position("7").as_deref(), Some("7"));
    }
}
