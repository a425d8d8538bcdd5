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
    Lane, Outage,
    event_log::{EntryId, FeedEntry, FeedPosition},
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

/// Identifies a notification by what it comes after: everything up to a position has been sent, but of one entry only the first
/// few notifications. Without that entry, all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotificationId {
    position: FeedPosition,
    /// The feed whose last entry has been sent in part, and how many of its notifications have been.
    part: Option<(Lane, usize)>,
}

impl NotificationId {
    /// All notifications up to a position.
    #[must_use]
    pub const fn last_of(position: FeedPosition) -> Self {
        Self { position, part: None }
    }

    /// Reads what `to_string` wrote.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (position, part) = match text.split('.').collect::<Vec<_>>().as_slice() {
            [position] => (*position, None),
            [position, number] => (*position, Some((Lane::FIRST, number.parse().ok()?))),
            [position, lane, number] => {
                (*position, Some((Lane::new(lane.parse().ok()?)?, number.parse().ok()?)))
            }
            _ => return None,
        };
        Some(Self { position: position.parse().ok()?, part })
    }

    /// The position up to which all notifications have been sent.
    #[must_use]
    pub fn position(&self) -> FeedPosition {
        match self.part {
            Some((stream, _)) => self.position.before(self.position.last_of(stream)),
            None => self.position.clone(),
        }
    }

    /// The entry that the notification is about, and its number there.
    fn place(&self) -> Option<(EntryId, usize)> {
        self.part.map(|(stream, number)| (self.position.last_of(stream), number))
    }

    /// Whether another notification has been sent before this one, or is this one.
    #[must_use]
    pub fn includes(&self, other: &Self) -> bool {
        match (self.place(), other.place()) {
            (_, None) => self.position().covers(&other.position),
            (Some((mine, sent)), Some((entry, number))) if mine == entry => number <= sent,
            (_, Some((entry, _))) => self.position().includes(entry),
        }
    }
}

impl std::fmt::Display for NotificationId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.position)?;
        match self.part {
            None => Ok(()),
            Some((Lane::FIRST, number)) => write!(f, ".{number}"),
            Some((stream, number)) => write!(f, ".{}.{number}", stream.column()),
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

#[derive(Debug)]
struct Listeners {
    by_player: HashMap<Uuid, Vec<Subscription>>,
    /// The invitations of the last minute that were sent: when, by match and player.
    invited: HashMap<(Uuid, Uuid), i64>,
    /// The position after which a new listener gets everything; none while nobody listens.
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

impl Subscription {
    /// Whether a notification was sent before somebody began to listen.
    fn since_includes(&self, id: &NotificationId) -> bool {
        id.place().is_some_and(|(entry, _)| self.since.includes(entry))
    }
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
            listeners: Mutex::new(Listeners {
                by_player: HashMap::new(),
                invited: HashMap::new(),
                position: None,
                sent: FeedPosition::START,
            }),
            wake: tokio::sync::Notify::new(),
        }
    }

    /// Begins to listen for a player.
    pub async fn listen(&self, player: Uuid) -> Result<Listener> {
        let head = self.matches.log().feed_head().await?;
        let (sender, messages) = mpsc::channel(QUEUE);
        let mut listeners = self.listeners.lock();
        // If nobody has listened so far, the feed is followed from its end.
        let since = if let Some(position) = &listeners.position {
            position.clone()
        } else {
            listeners.sent = head.clone();
            listeners.position = Some(head.clone());
            head
        };
        let subscription = Subscription { since: since.clone(), sender };
        listeners.by_player.entry(player).or_default().push(subscription);
        drop(listeners);
        self.wake.notify_one();
        Ok(Listener { since, messages })
    }

    /// The notifications of a player after one of them and up to an entry.
    pub async fn missed(
        &self,
        player: Uuid,
        after: &NotificationId,
        until: &FeedPosition,
    ) -> Result<Vec<Arc<Notification>>> {
        let mut missed = Vec::new();
        let mut position = after.position();
        while !position.covers(until) {
            let mut entries = self.matches.log().feed(&position, ENTRIES).await?;
            entries.retain(|entry| until.includes(entry.id));
            if entries.is_empty() {
                // Going on would mean to leave something out.
                let text = "a part of the feed cannot be read".to_owned();
                return Err(store::Error::Unavailable(Outage::Unreachable, text).into());
            }
            let players = BTreeSet::from([player]);
            let notifications = self.notifications(&position, &entries, &players).await?;
            let notifications = notifications.into_iter().map(|(_, it)| it);
            missed.extend(notifications.filter(|it| !after.includes(&it.id)));
            for entry in &entries {
                position.set(entry.id);
            }
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
            let entries = self.matches.log().feed(&sent, ENTRIES).await?;
            let Some(last) = entries.last().map(|entry| entry.pos.clone()) else { return Ok(()) };
            // Anybody who begins to listen from here on starts after these entries.
            let players: BTreeSet<Uuid> = {
                let mut listeners = self.listeners.lock();
                listeners.position = listeners.position.as_ref().map(|it| it.union(&last));
                listeners.by_player.keys().copied().collect()
            };
            let notifications = self.notifications(&sent, &entries, &players).await?;
            let mut listeners = self.listeners.lock();
            listeners.sent = last;
            for (player, notification) in notifications {
                let Some(subscriptions) = listeners.by_player.get_mut(&player) else { continue };
                // A listener whose queue is full is dropped, which closes its channel.
                subscriptions.retain(|subscription| {
                    let message = HubMessage::Notification(Arc::clone(&notification));
                    subscription.since_includes(&notification.id)
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
        listeners.position.as_ref().map(|_| listeners.sent.clone())
    }

    /// The notifications of these players in these entries after a position, in order.
    async fn notifications(
        &self,
        after: &FeedPosition,
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
        let mut position = after.clone();
        for entry in entries {
            position.set(entry.id);
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
                        let part = Some((entry.id.stream, number));
                        let id = NotificationId { position: position.clone(), part };
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
        for text in ["7", "7.1", "0", "12.30", "7-0-4.2.1", "7-0-4"] {
            assert_eq!(NotificationId::parse(text).expect(text).to_string(), text);
        }
        for text in ["", "x", "7.", ".1", "-1", "7.2.", "7.2.1.1", "7.1024.1"] {
            assert_eq!(NotificationId::parse(text), None, "{text}");
        }
        let id = |text| NotificationId::parse(text).expect(text);
        let order = ["6", "7.1", "7.2", "7.10", "7", "8.1", "8", "8-1.1.1", "9-1.1"].map(id);
        for (index, one) in order.iter().enumerate() {
            let included: Vec<bool> = order.iter().map(|other| one.includes(other)).collect();
            let expected: Vec<bool> = (0..order.len()).map(|other| other <= index).collect();
            assert_eq!(included, expected, "{one}");
        }
        // Neither of these was sent before the other.
        let (one, other) = (id("7.1"), id("6-1.1.1"));
        assert!(!one.includes(&other) && !other.includes(&one));
        let position = |text| NotificationId::parse(text).map(|id| id.position().to_string());
        assert_eq!(position("7.1").as_deref(), Some("6"));
        assert_eq!(position("7").as_deref(), Some("7"));
    }
}
