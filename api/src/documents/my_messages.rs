//! The messages of a player's own stream.

use serde::Serialize;
use service::streams::Notification;
use utoipa::{ToSchema, openapi::Object};

use super::{EndReason, Invitation, MatchListing, schema::only};

/// The first message of your stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct MySnapshot {
    /// Always `snapshot`.
    #[serde(rename = "type")]
    #[schema(schema_with = snapshot_tag)]
    pub kind: &'static str,
    /// The id to resume after.
    #[schema(example = "1207")]
    pub id: String,
    /// The matches that wait for you, newest first; at most 200.
    pub waiting: Vec<MatchListing>,
    /// The matches that you are invited to; at most 200.
    pub invitations: Vec<Invitation>,
    /// Whether everything since `Last-Event-ID` follows. If not, too much has happened since.
    pub complete: bool,
}

/// Somebody invites you. This message has no id: after a reconnect, the snapshot contains the invitation.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyInvitation {
    /// Always `match.invited`.
    #[serde(rename = "type")]
    #[schema(schema_with = invited_tag)]
    pub kind: &'static str,
    /// The invitation.
    pub invitation: Invitation,
}

/// The last message of your stream.
#[derive(Debug, Serialize, ToSchema)]
pub struct MyEnd {
    /// Always `end`.
    #[serde(rename = "type")]
    #[schema(schema_with = end_tag)]
    pub kind: &'static str,
    /// Why the stream ends.
    pub reason: EndReason,
    /// The reason in words.
    pub text: &'static str,
}

fn snapshot_tag() -> Object {
    only("snapshot")
}

fn invited_tag() -> Object {
    only("match.invited")
}

fn end_tag() -> Object {
    only("end")
}

/// A message of your stream: first a snapshot, then notifications, and finally an end. In SSE, `type` is also the name of the
/// event.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum MyMessage {
    /// The first message.
    Snapshot(MySnapshot),
    /// Something that concerns you.
    Notification(Notification),
    /// Somebody invites you.
    Invited(MyInvitation),
    /// The last message.
    End(MyEnd),
}
