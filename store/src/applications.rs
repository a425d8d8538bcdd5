//! Applications and their secrets, which are stored by their hash.

use domain::time::Timestamp;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, IntoActiveModel, QueryFilter, QueryOrder,
    QuerySelect, sea_query::Expr,
};
use uuid::Uuid;

use crate::{
    Db, Result, begin, commit,
    entities::{access_token, application, application_secret, player},
    sessions,
};

pub use crate::entities::{
    application::Model as Application, application_secret::Model as ApplicationSecret,
};

/// The number of players whose sessions are ended in one transaction.
const CHUNK: u64 = 500;

/// Adds an application with its first secret.
pub async fn insert(db: &Db, application: Application, secret: ApplicationSecret) -> Result<()> {
    let work = begin(db).await?;
    let row = application.into_active_model();
    application::Entity::insert(row).exec_without_returning(&work).await?;
    let row = secret.into_active_model();
    application_secret::Entity::insert(row).exec_without_returning(&work).await?;
    commit(work).await
}

/// The application with this id, and its secrets, newest first.
pub async fn find(
    db: &impl ConnectionTrait,
    id: Uuid,
) -> Result<Option<(Application, Vec<ApplicationSecret>)>> {
    let Some(application) = application::Entity::find_by_id(id).one(db).await? else {
        return Ok(None);
    };
    let secrets = application_secret::Entity::find()
        .filter(application_secret::Column::ApplicationId.eq(id))
        .order_by_desc(application_secret::Column::Id)
        .all(db)
        .await?;
    Ok(Some((application, secrets)))
}

/// All applications, oldest first.
pub async fn list(db: &Db) -> Result<Vec<Application>> {
    Ok(application::Entity::find().order_by_asc(application::Column::Id).all(db).await?)
}

/// Adds a secret to an application and says whether there is one that is not revoked. Of the secrets before it, the newest works
/// until a time, and the others are deleted: two are enough to replace one without a pause.
pub async fn rotate(db: &Db, secret: ApplicationSecret, until: Timestamp) -> Result<bool> {
    let work = begin(db).await?;
    let id = secret.application_id;
    let locked = application::Entity::find_by_id(id).lock_exclusive().one(&work).await?;
    if locked.is_none_or(|application| application.revoked_at.is_some()) {
        return Ok(false);
    }
    let Some((_, before)) = find(&work, id).await? else { return Ok(false) };
    let newest = before.first().map(|secret| secret.id);
    application_secret::Entity::delete_many()
        .filter(application_secret::Column::ApplicationId.eq(id))
        .filter(application_secret::Column::Id.is_not_in(newest))
        .exec(&work)
        .await?;
    application_secret::Entity::update_many()
        .col_expr(application_secret::Column::ExpiresAt, Expr::value(until.micros()))
        .filter(application_secret::Column::ApplicationId.eq(id))
        .filter(application_secret::Column::ExpiresAt.is_null())
        .exec(&work)
        .await?;
    let row = secret.into_active_model();
    application_secret::Entity::insert(row).exec_without_returning(&work).await?;
    commit(work).await?;
    Ok(true)
}

/// Revokes an application and deletes its secrets, and says whether there is such an application. Repeating it is harmless.
pub async fn revoke(db: &Db, id: Uuid, now: Timestamp) -> Result<bool> {
    let work = begin(db).await?;
    let locked = application::Entity::find_by_id(id).lock_exclusive().one(&work).await?;
    if locked.is_none() {
        return Ok(false);
    }
    application::Entity::update_many()
        .col_expr(application::Column::RevokedAt, Expr::value(now.micros()))
        .filter(application::Column::Id.eq(id))
        .filter(application::Column::RevokedAt.is_null())
        .exec(&work)
        .await?;
    application_secret::Entity::delete_many()
        .filter(application_secret::Column::ApplicationId.eq(id))
        .exec(&work)
        .await?;
    commit(work).await?;
    Ok(true)
}

/// Ends all sessions of the players of an application, deletes their personal access tokens, and says how many sessions there
/// were. In portions, because an application may have very many players.
pub async fn end_sessions(db: &Db, id: Uuid, now: Timestamp) -> Result<u64> {
    let (mut last, mut ended) = (Uuid::nil(), 0);
    loop {
        let players: Vec<Uuid> = player::Entity::find()
            .select_only()
            .column(player::Column::Id)
            .filter(player::Column::ApplicationId.eq(id))
            .filter(player::Column::Id.gt(last))
            .order_by_asc(player::Column::Id)
            .limit(CHUNK)
            .into_tuple()
            .all(db)
            .await?;
        let Some(greatest) = players.last() else { return Ok(ended) };
        last = *greatest;
        let work = begin(db).await?;
        ended += sessions::end_all(&work, &players, now).await?.len() as u64;
        access_token::Entity::delete_many()
            .filter(access_token::Column::PlayerId.is_in(players))
            .exec(&work)
            .await?;
        commit(work).await?;
    }
}
