//! An export at work. It produces a chunk when the client has taken the one before, in turn with other exports, and ends with the
//! body of the response: when everything is sent, or when the client goes away.

use std::collections::{BTreeSet, VecDeque};

use actix_web::web::{Bytes, Data};
use domain::{
    erased::AnyGame,
    matches::{Commit, Corrupt, Match},
    proof::Proof,
};
use futures_util::{Stream, stream};
use service::{
    bulkheads::Turn,
    export::{Export, named_in},
    names::KnownPlayers,
    occupancy::Place,
};
use store::{Db, MatchFilter, match_list, signatures};
use uuid::Uuid;

use super::csv;
use crate::{
    app::App,
    documents::players,
    error::{ApiError, ApiResult},
    http::Address,
};

/// How many ids are read at once.
const PAGE: u64 = 100;
/// The approximate number of bytes that are sent at once.
const CHUNK: usize = 32 * 1024;

/// The format of an export.
#[derive(Clone, Copy)]
pub(super) enum ExportFormat {
    /// Whole matches, one per line.
    Ndjson,
    /// One row per seat, with columns for the measures of this game.
    Csv(Option<&'static dyn AnyGame>),
}

/// The rest of an export.
pub(super) struct ExportJob {
    app: Data<App>,
    filter: MatchFilter,
    format: ExportFormat,
    /// How many matches may still be sent.
    left: u64,
    /// The ids that have been read.
    ids: VecDeque<Uuid>,
    has_more: bool,
    address: Address,
    player: Option<Uuid>,
    /// The matches of the last chunk, which count for the pace of the next.
    unpaid: u32,
    _place: Place,
}

/// The log of a match, oldest first.
type Log = Vec<Commit>;

impl ExportJob {
    /// An export of at most `left` matches.
    pub(super) fn new(
        app: Data<App>,
        filter: MatchFilter,
        format: ExportFormat,
        left: u64,
        (place, address, player): (Place, Address, Option<Uuid>),
    ) -> Self {
        let (ids, has_more) = (VecDeque::new(), true);
        let unpaid = 0;
        Self { app, filter, format, left, ids, has_more, address, player, unpaid, _place: place }
    }

    /// The body of the response, which begins with `head`. Only one chunk is in memory.
    pub(super) fn body(self, head: String) -> impl Stream<Item = Result<Bytes, actix_web::Error>> {
        stream::try_unfold((self, head), |(mut job, mut chunk)| async move {
            chunk.push_str(&job.next_chunk().await?);
            Ok((!chunk.is_empty()).then(|| (Bytes::from(chunk), (job, String::new()))))
        })
    }

    async fn next_chunk(&mut self) -> ApiResult<String> {
        self.app.limits.pace_export(self.address, self.player, self.unpaid).await;
        let turn = self.app.bulkheads.exports.enter(self.address.0).await?;
        let db = self.app.db.reader().await;
        let source = self.app.matches.log().read_from(db.clone());
        let (mut logs, mut bytes) = (Vec::new(), 0);
        while bytes < CHUNK
            && let Some(id) = self.next(&db).await?
        {
            // From the log, because exports should not displace live matches from memory.
            let log = source.load(id, 0).await?;
            bytes += log.iter().map(|commit| commit.payload.len()).sum::<usize>();
            logs.push(log);
        }
        self.unpaid = u32::try_from(logs.len()).unwrap_or(u32::MAX);
        metrics::counter!("telar_exported_matches_total").increment(self.unpaid.into());
        match self.format {
            ExportFormat::Ndjson => self.lines(&turn, logs, &db).await,
            ExportFormat::Csv(game) => self.rows(&turn, logs, game).await,
        }
    }

    /// The id of the next match.
    async fn next(&mut self, db: &Db) -> ApiResult<Option<Uuid>> {
        if self.left == 0 {
            return Ok(None);
        }
        if self.ids.is_empty() && self.has_more {
            let ids = match_list::ids(db, &self.filter, PAGE).await?;
            self.has_more = ids.len() as u64 == PAGE;
            self.ids = ids.into();
        }
        let next = self.ids.pop_front();
        if let Some(id) = next {
            self.filter.cursor = Some(id);
            self.left -= 1;
        }
        Ok(next)
    }

    async fn lines(&self, turn: &Turn, logs: Vec<Log>, db: &Db) -> ApiResult<String> {
        let prove = move || {
            let proofs = logs.into_iter().map(|log| {
                let proof = Proof::of(&log)?;
                Ok(proof.map(|proof| (proof, log)))
            });
            proofs.collect::<Result<Option<Vec<(Proof, Log)>>, Corrupt>>()
        };
        let proofs = turn.work(prove).await??.ok_or_else(ApiError::internal)?;
        let ids: Vec<Uuid> = proofs.iter().map(|(proof, _)| proof.header.id).collect();
        let mut signatures = signatures::of_many(db, &ids).await?;
        let names = proofs.iter().flat_map(|(proof, _)| named_in(proof)).collect();
        let names = self.names(names).await?;
        let render = move || {
            let lines = proofs.into_iter().map(|(proof, log)| {
                let signatures = signatures.remove(&proof.header.id).unwrap_or_default();
                Ok(Export::new(proof.signed(signatures), &log, &names)?.to_text() + "\n")
            });
            lines.collect::<Result<String, Corrupt>>()
        };
        Ok(turn.work(render).await??)
    }

    async fn rows(
        &self,
        turn: &Turn,
        logs: Vec<Log>,
        game: Option<&'static dyn AnyGame>,
    ) -> ApiResult<String> {
        let fold = move || logs.iter().map(Match::fold).collect::<Result<_, Corrupt>>();
        let matches: Vec<Option<Match>> = turn.work(fold).await??;
        let matches: Option<Vec<Match>> = matches.into_iter().collect();
        let matches = matches.ok_or_else(ApiError::internal)?;
        let names = self.names(matches.iter().flat_map(players).collect()).await?;
        let rows = matches.iter().map(|m| {
            csv::rows(m, game, |seat| {
                let sitter = m.sitter(seat)?;
                names.get(&sitter.player).map(|player| player.name.clone())
            })
        });
        Ok(rows.collect())
    }

    async fn names(&self, players: BTreeSet<Uuid>) -> ApiResult<KnownPlayers> {
        Ok(self.app.names.of(players, self.app.clock.now()).await?)
    }
}
