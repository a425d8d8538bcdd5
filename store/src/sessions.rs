//! Sessions and their refresh tokens, which are stored by their hash.
//!
//! A refresh token stays valid until one of its successors has been used, because the response that brought the successor may
//! have been lost. A token that is exchanged twice has two successors, of which only the one that is used first counts. Any
//! other token of the session has been superseded: it is used by somebody who must not have it, and the session ends.

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, Condition, ConnectionTrait, DbErr, EntityTrait, ExprTrait, IntoActiveModel,
    QueryFilter, QueryOrder, QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    Db, Result, begin, commit,
    entities::{application, player, refresh_token, session},
    players::Player,
};

pub use crate::entities::session::Model as Session;

/// The number of sessions whose tokens are deleted with one statement.
const CHUNK: usize = 10_000;

/// A refresh token that is issued.
#[derive(Debug, Clone, Copy)]
pub struct NewRefreshToken {
    /// The hash of the token.
    pub hash: [u8; 32],
    /// When it expires.
    pub expires: Timestamp,
}

/// Where a session is used.
#[derive(Debug, Clone)]
pub struct Whereabouts {
    /// What the client calls itself.
    pub device: Option<String>,
    /// The address of the client.
    pub address: String,
}

/// The result of exchanging a refresh token.
#[derive(Debug)]
pub enum Exchange {
    /// The new token was issued.
    Issued {
        /// The session of the token.
        session: Uuid,
        /// The player of the session.
        player: Box<Player>,
    },
    /// A later token had been used already, so the session was ended.
    Reused {
        /// The session that was ended.
        session: Uuid,
    },
    /// The token is unknown or has expired, or its session has ended.
    Invalid,
}

/// Opens a session with its first refresh token, and says whether it did: not if the player was deleted or has got another
/// password in the meantime, or if the player's application was revoked.
pub async fn open(
    db: &Db,
    id: Uuid,
    player: &Player,
    token: NewRefreshToken,
    from: Whereabouts,
    now: Timestamp,
) -> Result<bool> {
    let work = begin(db).await?;
    // A change of the password waits for this lock and then ends the session.
    let current = player::Entity::find_by_id(player.id).lock_shared().one(&work).await?;
    if current.is_none_or(|current| current.password_hash != player.password_hash) {
        return Ok(false);
    }
    // Revoking an application waits for this lock and then ends the session.
    if let Some(application) = player.application_id
        && !is_active(&work, application).await?
    {
        return Ok(false);
    }
    let session = Session {
        id,
        player_id: player.id,
        created_at: now.micros(),
        ended_at: None,
        device: from.device,
        address: Some(from.address),
        last_used_at: now.micros(),
        last_refresh: None,
    };
    session::Entity::insert(session.into_active_model()).exec_without_returning(&work).await?;
    issue(&work, id, None, token).await?;
    commit(work).await?;
    Ok(true)
}

/// Whether an application is not revoked. It is not revoked before the transaction ends.
async fn is_active(db: &impl ConnectionTrait, application: Uuid) -> Result<bool> {
    let application = application::Entity::find_by_id(application).lock_shared().one(db).await?;
    Ok(application.is_some_and(|application| application.revoked_at.is_none()))
}

/// Exchanges a refresh token for a new one.
pub async fn exchange(
    db: &Db,
    hash: [u8; 32],
    new: NewRefreshToken,
    from: Whereabouts,
    now: Timestamp,
) -> Result<Exchange> {
    let hash = hash.to_vec();
    let work = begin(db).await?;
    let token = refresh_token::Entity::find_by_id(hash.clone()).one(&work).await?;
    let Some(token) = token.filter(|token| token.expires_at > now.micros()) else {
        return Ok(Exchange::Invalid);
    };
    let of_session = session::Column::Id.eq(token.session_id);
    let is_successor = match token.parent {
        Some(parent) => session::Column::LastRefresh.eq(parent),
        None => session::Column::LastRefresh.is_null(),
    };
    let is_valid =
        Condition::any().add(session::Column::LastRefresh.eq(hash.clone())).add(is_successor);
    // Checked and written by one statement: of simultaneous exchanges, each sees what the one before it has done.
    let renewed = session::Entity::update_many()
        .col_expr(session::Column::LastRefresh, Expr::value(hash.clone()))
        .col_expr(session::Column::LastUsedAt, Expr::value(now.micros()))
        .col_expr(session::Column::Device, Expr::value(from.device))
        .col_expr(session::Column::Address, Expr::value(from.address))
        .filter(of_session.clone())
        .filter(session::Column::EndedAt.is_null())
        .filter(is_valid)
        .exec(&work)
        .await?;
    if renewed.rows_affected == 0 {
        let ended = end_those(&work, of_session.into(), now).await?;
        commit(work).await?;
        return Ok(match ended.first() {
            Some(session) => Exchange::Reused { session: *session },
            None => Exchange::Invalid,
        });
    }
    let session = session::Entity::find_by_id(token.session_id).one(&work).await?;
    let Some(session) = session else { return Ok(Exchange::Invalid) };
    let player = player::Entity::find_by_id(session.player_id).one(&work).await?;
    let Some(player) = player else { return Ok(Exchange::Invalid) };
    issue(&work, session.id, Some(hash), new).await?;
    commit(work).await?;
    Ok(Exchange::Issued { session: session.id, player: Box::new(player) })
}

/// The open sessions of a player that were used after a time, newest first; with `before`, only older ones.
pub async fn list(
    db: &Db,
    player: Uuid,
    used_after: Timestamp,
    before: Option<Uuid>,
    limit: u64,
) -> Result<Vec<Session>> {
    let mut open = session::Entity::find()
        .filter(session::Column::PlayerId.eq(player))
        .filter(session::Column::EndedAt.is_null())
        .filter(session::Column::LastUsedAt.gt(used_after.micros()));
    if let Some(before) = before {
        open = open.filter(session::Column::Id.lt(before));
    }
    Ok(open.order_by_desc(session::Column::Id).limit(limit).all(db).await?)
}

/// Whether a session has not ended. Within a transaction, it does not end before the transaction does.
pub async fn is_open(db: &impl ConnectionTrait, id: Uuid) -> Result<bool> {
    let session = session::Entity::find_by_id(id).lock_shared().one(db).await?;
    Ok(session.is_some_and(|session| session.ended_at.is_none()))
}

/// Ends a session of a player, and says whether it was open.
pub async fn end(db: &Db, player: Uuid, id: Uuid, now: Timestamp) -> Result<bool> {
    let work = begin(db).await?;
    let this = session::Column::Id.eq(id).and(session::Column::PlayerId.eq(player));
    let ended = end_those(&work, this.into(), now).await?;
    commit(work).await?;
    Ok(!ended.is_empty())
}

/// Ends all sessions of a player but one, and returns those that were open.
pub async fn end_others(
    db: &impl ConnectionTrait,
    player: Uuid,
    kept: Uuid,
    now: Timestamp,
) -> Result<Vec<Uuid>> {
    let others = session::Column::PlayerId.eq(player).and(session::Column::Id.ne(kept));
    Ok(end_those(db, others.into(), now).await?)
}

/// Ends all sessions of these players, and returns those that were open.
pub(crate) async fn end_all(
    db: &impl ConnectionTrait,
    players: &[Uuid],
    now: Timestamp,
) -> Result<Vec<Uuid>> {
    let theirs = session::Column::PlayerId.is_in(players.iter().copied());
    Ok(end_those(db, theirs.into(), now).await?)
}

/// The sessions that ended after a time, and when.
pub async fn ended_since(db: &Db, time: Timestamp) -> Result<Vec<(Uuid, Timestamp)>> {
    let ended: Vec<(Uuid, i64)> = session::Entity::find()
        .select_only()
        .columns([session::Column::Id, session::Column::EndedAt])
        .filter(session::Column::EndedAt.gt(time.micros()))
        .into_tuple()
        .all(db)
        .await?;
    Ok(ended.into_iter().map(|(id, at)| (id, Timestamp::from_micros(at))).collect())
}

/// Ends the open ones among these sessions. Nothing is left of them but their times.
async fn end_those(
    db: &impl ConnectionTrait,
    those: Condition,
    now: Timestamp,
) -> Result<Vec<Uuid>, DbErr> {
    let ended = session::Entity::update_many()
        .col_expr(session::Column::EndedAt, Expr::value(now.micros()))
        .col_expr(session::Column::Device, Expr::value(None::<String>))
        .col_expr(session::Column::Address, Expr::value(None::<String>))
        .col_expr(session::Column::LastRefresh, Expr::value(None::<Vec<u8>>))
        .filter(those)
        .filter(session::Column::EndedAt.is_null())
        .exec_with_returning(db)
        .await?;
    let ended: Vec<Uuid> = ended.into_iter().map(|session| session.id).collect();
    for ids in ended.chunks(CHUNK) {
        refresh_token::Entity::delete_many()
            .filter(refresh_token::Column::SessionId.is_in(ids.iter().copied()))
            .exec(db)
            .await?;
    }
    Ok(ended)
}

async fn issue(
    db: &impl ConnectionTrait,
    session: Uuid,
    parent: Option<Vec<u8>>,
    token: NewRefreshToken,
) -> Result<(), DbErr> {
    let token = refresh_token::Model {
        token_hash: token.hash.to_vec(),
        session_id: session,
        expires_at: token.expires.micros(),
        parent,
    };
    refresh_token::Entity::insert(token.into_active_model()).exec_without_returning(db).await?;
    Ok(())
}
