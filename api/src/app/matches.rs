//! Matches as routes and streams show them: access checks, documents and lists.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    matches::{Match, Status},
    time::Timestamp,
};
use service::live::{Consistency, LiveMatch};
use store::{ListedMatch, MatchFilter, match_list};
use uuid::Uuid;

use super::App;
use crate::{
    documents::{Invitation, MatchDocument, MatchListing, SeatedPlayer, players},
    error::{ApiError, ApiResult},
    http::Tagged,
    rendered::PageStamp,
};

impl App {
    /// A match that a player, or a spectator if there is no player, may see.
    pub async fn visible_match(
        &self,
        id: Uuid,
        player: Option<Uuid>,
        consistency: Consistency,
    ) -> ApiResult<Arc<Match>> {
        self.visible_live_match(id, player, consistency).await.map(|live| live.now)
    }

    /// The same, to be read and commanded.
    pub async fn visible_live_match(
        &self,
        id: Uuid,
        player: Option<Uuid>,
        consistency: Consistency,
    ) -> ApiResult<LiveMatch> {
        let live = self.matches.find(id, consistency).await?.ok_or_else(ApiError::not_found)?;
        if live.now.is_visible_to(player) {
            return Ok(live);
        }
        // The player may have taken a seat through another replica a moment ago.
        let live =
            self.matches.find(id, Consistency::Store).await?.ok_or_else(ApiError::not_found)?;
        let is_visible = live.now.is_visible_to(player)
            || match player {
                Some(player) if live.now.status() == Status::Open => {
                    self.invitations.is_invited(id, player).await?
                }
                _ => false,
            };
        if is_visible { Ok(live) } else { Err(ApiError::not_found()) }
    }

    /// The first open invitations of a player, newest matches first.
    pub async fn open_invitations(&self, player: Uuid, limit: u64) -> ApiResult<Vec<Invitation>> {
        let invitations = self.invitations.open(player, None, limit).await?;
        Ok(Invitation::list(invitations, &self.names, self.clock.now()).await?)
    }

    /// A match as a player sees it.
    pub async fn match_document(
        &self,
        m: &Match,
        player: Option<Uuid>,
    ) -> ApiResult<MatchDocument> {
        let now = self.clock.now();
        let names = self.names.of(players(m), now).await?;
        let rematch = self.rematch_of(m, now).await?;
        Ok(MatchDocument::new(m, player, &names, rematch))
    }

    /// A match as a player sees it, rendered. Unchanged pages come from a cache.
    pub async fn match_page(&self, m: &Match, player: Option<Uuid>) -> ApiResult<Tagged> {
        let now = self.clock.now();
        let seat = player.and_then(|player| m.seat_of(player));
        let stamp = PageStamp {
            version: m.version(),
            renames: self.names.renames(),
            rematch: self.rematch_of(m, now).await?,
        };
        if let Some(page) = self.match_pages.get(m.id(), seat, stamp, now) {
            return Ok(page);
        }
        let document = self.match_document(m, player).await?;
        let page = Tagged::with_tag(&document, &document.etag());
        self.match_pages.put(m.id(), seat, stamp, now, page.clone());
        Ok(page)
    }

    async fn rematch_of(&self, m: &Match, now: Timestamp) -> ApiResult<Option<Uuid>> {
        Ok(match m.status() {
            Status::Finished => self.rematches.of(m.id(), now).await?,
            Status::Open | Status::Playing | Status::Abandoned => None,
        })
    }

    /// The first matches of a list, newest first.
    pub async fn list_matches(
        &self,
        filter: &MatchFilter,
        limit: u64,
    ) -> ApiResult<Vec<MatchListing>> {
        let db = self.db.reader().await;
        let listed = match_list::list(&db, filter, limit).await?;
        let ids: Vec<Uuid> = listed.iter().map(|listed| listed.id).collect();
        let heads = self.matches.log().read_from(db).heads(&ids).await?;
        let players = listed.iter().flat_map(|listed| listed.players.iter().flatten().copied());
        let names = self.names.of(players.collect(), self.clock.now()).await?;
        let listing = |listed: ListedMatch| {
            let head = heads.get(&listed.id).ok_or_else(|| {
                tracing::error!(id = %listed.id, "a match has a summary but no commits");
                ApiError::internal()
            })?;
            Ok(MatchListing::new(listed, head, &names))
        };
        listed.into_iter().map(listing).collect()
    }

    /// A player with its name. An unknown or deleted player is 404.
    pub async fn named_player(&self, id: Uuid) -> ApiResult<SeatedPlayer> {
        let known = self.names.of(BTreeSet::from([id]), self.clock.now()).await?;
        if known.is_empty() {
            Err(ApiError::not_found())
        } else {
            Ok(SeatedPlayer::new(id, &known))
        }
    }
}
