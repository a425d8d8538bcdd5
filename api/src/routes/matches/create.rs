//! `POST /v1/matches`

use actix_web::{HttpResponse, web::Data};
use domain::{
    bot::BotLevel,
    matches::{BotSeat, Create, OnTimeout, PlayerSeat, TimeLimit, Visibility},
    seat::Seat,
    text::Text,
};
use serde::Deserialize;
use serde_json::value::RawValue;
use service::{
    applications::PlayerRef,
    creations,
    identity::{ApplicationScope, Requirement},
    live::CommandContext,
    secret,
};
use utoipa::ToSchema;
use uuid::Uuid;

use super::created;
use crate::{
    app::App,
    documents::{MatchDocument, schema::AnyOptions},
    error::{ApiError, ApiResult, Unprocessable},
    http::{Body, IdempotencyKey, game_in_field},
    middleware::{Creator, Endpoint},
    routes::seats::valid_entropy,
};

/// The match to create.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "game": "qwinto", "seats": 2 }))]
pub struct NewMatch {
    /// The key of the game.
    game: String,
    /// The number of seats; the game says how many it allows.
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    /// For applications: who sits where, one entry per seat. An entry is the id of a player, an external id, a bot, or
    /// `null` for a seat that stays open.
    #[schema(max_items = 8)]
    players: Option<Vec<Option<SeatFor>>>,
    /// The options of the game. Omitted ones have their defaults.
    #[schema(value_type = Option<AnyOptions>)]
    options: Option<Box<RawValue>>,
    /// Who may see the match; by default everybody.
    #[serde(default)]
    visibility: Visibility,
    /// Your contribution to the luck of the match: any text of at most 128 characters.
    #[schema(max_length = 128)]
    entropy: Option<String>,
    /// The time limit per decision in seconds, from 1 to 2,592,000 (30 days); by default none.
    #[schema(minimum = 1, maximum = 2_592_000, example = 86_400)]
    move_deadline: Option<u32>,
    /// What happens when a deadline passes: `automatic` (the server chooses a legal move, the default), `forfeit` (the seat
    /// resigns) or `bot` (a `casual` bot plays the seat until you return).
    on_timeout: Option<OnTimeout>,
    /// The levels of bots that take the seats after yours, in order. Matches with bots are unrated.
    #[serde(default)]
    #[schema(max_items = 7, example = json!(["club", "club"]))]
    bots: Vec<BotLevel>,
    /// Whether players may ask for hints. Everybody can see that, and the match is unrated.
    #[serde(default)]
    hints: bool,
}

/// The seats of these bots: the first ones that the creator, in seat 0, leaves free.
fn bot_seats(levels: &[BotLevel]) -> ApiResult<Vec<BotSeat>> {
    let free = Seat::all(Seat::MAX).skip(1);
    if levels.len() >= usize::from(Seat::MAX) {
        return Err(ApiError::bad_field(
            "bots",
            Text::new("A match has at most 7 bots.", "Una partida tiene como máximo 7 bots."),
        ));
    }
    Ok(free.zip(levels).map(|(seat, level)| BotSeat { seat, level: *level }).collect())
}

/// A player whom an application seats.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[schema(example = json!({ "external_id": "user-1042" }))]
pub enum SeatFor {
    /// By the id of the player.
    Id(Uuid),
    /// By your own id of the player.
    External(ExternalPlayer),
    /// A bot.
    Bot(BotPlayer),
}

/// A bot, by its level.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BotPlayer {
    /// The level of the bot.
    bot: BotLevel,
}

/// A player of your application, by your own id.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExternalPlayer {
    /// Your own id of the player.
    #[schema(min_length = 1, max_length = 128, example = "user-1042")]
    external_id: String,
}

/// Who creates a match, and who is seated besides.
struct Seating {
    creator: Uuid,
    seat: Seat,
    players: Vec<PlayerSeat>,
    bots: Vec<BotSeat>,
    /// Whose idempotency keys these are.
    owner: Uuid,
}

/// The players whom an application seats: its own ones only, because nobody else is asked.
async fn seating(app: &App, creator: Creator, request: &NewMatch) -> ApiResult<Seating> {
    let (token, players) = match (creator, &request.players) {
        (Creator::Player(caller), None) => {
            let (creator, owner) = (caller.player, caller.player);
            let bots = bot_seats(&request.bots)?;
            return Ok(Seating { creator, seat: Seat::FIRST, players: Vec::new(), bots, owner });
        }
        (Creator::Player(_), Some(_)) => {
            let need = Requirement::Application(ApplicationScope::MatchPlay);
            return Err(ApiError::missing_scope(need).field("players"));
        }
        (Creator::Application(_), None) => return Err(no_players()),
        (Creator::Application(token), Some(players)) => (token, players),
    };
    if players.len() != usize::from(request.seats) {
        return Err(one_per_seat());
    }
    if !request.bots.is_empty() {
        return Err(bots_among_players());
    }
    let (mut seated, mut bots) = (Vec::new(), Vec::new());
    for (seat, player) in Seat::all(request.seats).zip(players) {
        let Some(player) = player else { continue };
        let field = format!("players[{}]", seat.number());
        let (named, unknown) = match player {
            SeatFor::Id(id) => (PlayerRef::Id(*id), ApiError::not_your_player().field(&field)),
            SeatFor::External(player) => {
                let unknown = ApiError::no_such_external_player(&field);
                (PlayerRef::External(&player.external_id), unknown)
            }
            SeatFor::Bot(player) => {
                bots.push(BotSeat { seat, level: player.bot });
                continue;
            }
        };
        let found = app.applications.player(token.application, named).await?.ok_or(unknown)?;
        seated.push(PlayerSeat { seat, player: found.id });
    }
    let mut seated = seated.into_iter();
    let PlayerSeat { seat, player } = seated.next().ok_or_else(no_players)?;
    let owner = token.application;
    Ok(Seating { creator: player, seat, players: seated.collect(), bots, owner })
}

fn no_players() -> ApiError {
    ApiError::bad_field(
        "players",
        Text::new(
            "An application names at least one of its players in `players`, or acts for one with `Telar-Player`.",
            "Una aplicación indica al menos uno de sus jugadores en `players`, o actúa en nombre de uno con `Telar-Player`.",
        ),
    )
}

fn bots_among_players() -> ApiError {
    ApiError::bad_field(
        "bots",
        Text::new(
            "With `players`, seat bots there: an entry such as `{\"bot\": \"club\"}`.",
            "Con `players`, sienta a los bots ahí: una entrada como `{\"bot\": \"club\"}`.",
        ),
    )
}

fn one_per_seat() -> ApiError {
    ApiError::bad_field(
        "players",
        Text::new(
            "`players` has one entry per seat; `null` leaves a seat open.",
            "`players` tiene una entrada por puesto; `null` deja un puesto libre.",
        ),
    )
}

fn time_limit(seconds: Option<u32>, on_timeout: Option<OnTimeout>) -> ApiResult<Option<TimeLimit>> {
    match (seconds, on_timeout) {
        (None, None) => Ok(None),
        (None, Some(_)) => Err(ApiError::bad_field(
            "on_timeout",
            Text::new(
                "`on_timeout` requires a `move_deadline`.",
                "`on_timeout` requiere un `move_deadline`.",
            ),
        )),
        (Some(seconds), on_timeout) => {
            TimeLimit::new(seconds, on_timeout.unwrap_or_default()).map(Some).ok_or_else(|| {
                ApiError::bad_field(
                    "move_deadline",
                    Text::new(
                        "`move_deadline` must be a number of seconds from 1 to 2592000 (30 days).",
                        "`move_deadline` debe ser un número de segundos de 1 a 2592000 (30 días).",
                    ),
                )
            })
        }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_create_match, create_match)
}

/// Create a match
///
/// You take seat 0, and bots take the seats after it. The match starts when its last seat is taken; a match with one seat starts
/// immediately.
///
/// An application seats its own players with `players`, and gets the match as the first of them sees it. If no seat stays open,
/// the match starts at once.
#[utoipa::path(
    post,
    path = "/v1/matches",
    tag = "Matches",
    security(("bearer" = ["match:play"]), ("application" = ["match:play"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "A retry with the same key returns the match that the first request created.")),
    request_body = NewMatch,
    responses(
        (status = 201, description = "The new match.", body = MatchDocument,
         headers(("ETag" = String, description = "The version, and a digest of the names of the players."), ("Location" = String, description = "The path of the match."))),
        Unprocessable,
    ),
)]
pub async fn create_match(
    app: Data<App>,
    creator: Creator,
    key: IdempotencyKey,
    body: Body<NewMatch>,
) -> ApiResult<HttpResponse> {
    let now = app.clock.now();
    let request = body.value;
    let Seating { creator, seat, players, bots, owner } = seating(&app, creator, &request).await?;
    let game = game_in_field(&request.game)?;
    let entropy = request.entropy.map(valid_entropy).transpose()?;
    let scope = format!("matches/{owner}");
    let id = creations::claim(&app.db, &scope, key.0.as_deref(), &body.bytes, now).await?;
    let seed = secret::bytes::<32>().into();
    let create = Create {
        seat,
        players,
        options: request.options.as_deref(),
        visibility: request.visibility,
        entropy,
        time_limit: time_limit(request.move_deadline, request.on_timeout)?,
        bots,
        hints: request.hints,
        invite_code: (request.visibility == Visibility::Private).then(secret::invite_code),
        ..Create::new(id, game, request.seats, creator, seed)
    };
    let context = CommandContext::new(key.command_id(creator, now), now);
    let executed = app.matches.create(create, &context).await?;
    created(&app, &executed, creator).await
}
