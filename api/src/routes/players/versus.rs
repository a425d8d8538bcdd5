//! `GET /v1/players/{id}/versus/{other}`

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path},
};
use domain::text::Text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::named;
use service::{secret, statistics::Statistics};
use store::entities::player_pair;

use crate::{
    app::App,
    error::{ApiError, ApiResult, NotFound},
    http::{Format, IfNoneMatch, Language},
    middleware::Endpoint,
    rendered::StatsTag,
    routes::matches::SeatedPlayer,
};

/// How two players did against one another.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Meetings {
    /// Matches in which both sat.
    played: i64,
    /// Matches in which the player had the better place.
    ahead: i64,
    /// Matches in which the other one had the better place.
    behind: i64,
    /// Matches in which they shared a place.
    level: i64,
    /// Matches that the player won or shared.
    won: i64,
    /// Matches that the other one won or shared.
    other_won: i64,
}

impl Meetings {
    /// As the player with the smaller id sees it, or the other one.
    fn add(&mut self, pair: &player_pair::Model, first: bool) {
        let in_order = |one: i64, two: i64| if first { (one, two) } else { (two, one) };
        let (ahead, behind) = in_order(pair.one_ahead, pair.two_ahead);
        let (won, other_won) = in_order(pair.one_won, pair.two_won);
        self.played += pair.played;
        self.ahead += ahead;
        self.behind += behind;
        self.level += pair.played - ahead - behind;
        self.won += won;
        self.other_won += other_won;
    }
}

/// Meetings in one game.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameMeetings {
    /// The key of the game.
    #[schema(example = "qwinto")]
    game: String,
    /// The meetings.
    #[serde(flatten)]
    meetings: Meetings,
}

/// Two players, head to head.
#[derive(Debug, Serialize, ToSchema)]
pub struct Versus {
    /// The player.
    player: SeatedPlayer,
    /// The other one.
    other: SeatedPlayer,
    /// In all games.
    overall: Meetings,
    /// In each game in which they have met.
    games: Vec<GameMeetings>,
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(__path_get_versus, get_versus)
}

/// Two players, head to head
#[utoipa::path(
    get,
    path = "/v1/players/{id}/versus/{other}",
    tag = "Statistics",
    params(
        ("id" = Uuid, Path, description = "The id of the player."),
        ("other" = Uuid, Path, description = "The id of the other one."),
        ("If-None-Match" = Option<String>, Header, description = "The `ETag` that you have."),
    ),
    responses(
        (status = 200, description = "How they did against one another.", body = Versus,
         headers(("ETag" = String, description = "Changes when more matches are counted."))),
        (status = 304, description = "You have it already."),
        NotFound,
    ),
)]
pub async fn get_versus(
    app: Data<App>,
    path: Path<(Uuid, Uuid)>,
    language: Language,
    known: IfNoneMatch,
    request: HttpRequest,
) -> ApiResult<HttpResponse> {
    let (id, other) = *path;
    if id == other {
        return Err(ApiError::bad_field(
            "other",
            Text::new("Nobody meets themselves.", "Nadie se enfrenta a sí mismo."),
        ));
    }
    let (player, other) = (named(&app, id).await?, named(&app, other).await?);
    let statistics = Statistics::now(&app.db).await?;
    let names = format!("{:?}\n{:?}", player.name, other.name);
    let digest = hex::encode(&secret::hash(names.as_bytes())[..4]);
    let tag = StatsTag::new(&statistics, Format::Json, language.0, &format!("-{digest}"));
    let entry = tag.entry(&app.stats, &request, app.clock.now());
    if let Some(response) = tag.not_modified(&known).or_else(|| entry.cached(&known)) {
        return Ok(response);
    }
    let mut overall = Meetings::default();
    let mut games = Vec::new();
    for pair in statistics.pair(player.id, other.id).await? {
        let first = pair.one == player.id;
        let mut meetings = Meetings::default();
        meetings.add(&pair, first);
        overall.add(&pair, first);
        games.push(GameMeetings { game: pair.game, meetings });
    }
    Ok(entry.json(tag, &Versus { player, other, overall, games }))
}
