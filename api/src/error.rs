//! What goes wrong, turned into a problem document (RFC 9457) in one place.

use std::borrow::Cow;

use actix_web::{
    HttpResponse, ResponseError,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
};
use domain::{
    game::{Refusal, RefusalInfo},
    games,
    matches::{MatchRefusal, Refused},
    shape::{BadShape, Misfit},
    text::{Lang, Text},
};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use service::{error::RefusedCommand, identity::Requirement};
use store::{Outage, event_log::AppendError};

mod accounts;
mod applications;
mod archive;
mod blocks;
mod load;
mod transparency;

/// What a client is told when something goes wrong.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// A URN that names the kind of problem.
    #[serde(rename = "type")]
    #[schema(example = "urn:telar:problem:qwinto.box_taken")]
    pub kind: String,
    /// The kind of problem in a few words.
    #[schema(example = "Refused by the rules")]
    pub title: String,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599, example = 422)]
    pub status: u16,
    /// Stable; what programs decide by.
    #[schema(example = "qwinto.box_taken")]
    pub code: String,
    /// What is wrong, and what to do about it.
    #[schema(example = "This box already has a number: choose an empty one.")]
    pub detail: String,
    /// The path of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// The field of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "move.box")]
    pub field: Option<String>,
    /// The rule that was broken, by its number in the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "R3.1")]
    pub rule: Option<String>,
    /// Where these rules are: `/v1/rules` for those of every match (`M…`), the game for its own (`R…`). The fragment is the
    /// number of the rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/v1/games/qwinto#R3.1")]
    pub rules: Option<String>,
    /// The version of the match now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// Where the legal moves are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "/v1/matches/0192f0c1-2f64-7c11-8a3e-7d3f1b2a9c10/legal-moves")]
    pub legal_moves: Option<String>,
    /// The scope that a token would need; `session` where only a session will do.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "match:play")]
    pub scope: Option<String>,
}

/// The result of a handler.
pub type ApiResult<T> = Result<T, ApiError>;

/// What goes wrong in a request.
#[derive(Debug, Clone)]
pub struct ApiError(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    status: StatusCode,
    code: Cow<'static, str>,
    title: Text,
    detail: [String; 2],
    field: Option<String>,
    rule: Option<BrokenRule>,
    version: Option<u64>,
    legal_moves: Option<String>,
    need: Option<Requirement>,
    retry_after: Option<u32>,
    allow: Option<String>,
    lang: Lang,
    instance: Option<String>,
}

/// A rule that was broken.
#[derive(Debug, Clone)]
struct BrokenRule {
    number: &'static str,
    /// The document that contains it.
    rules: String,
}

impl ApiError {
    /// A problem from its status, code and text.
    #[must_use]
    pub fn new(status: StatusCode, code: &'static str, detail: Text) -> Self {
        Self::described(status, Cow::Borrowed(code), [detail.en.to_owned(), detail.es.to_owned()])
    }

    fn described(status: StatusCode, code: Cow<'static, str>, detail: [String; 2]) -> Self {
        Self(Box::new(Inner {
            status,
            code,
            title: title(status),
            detail,
            field: None,
            rule: None,
            version: None,
            legal_moves: None,
            need: None,
            retry_after: None,
            allow: None,
            lang: Lang::En,
            instance: None,
        }))
    }

    /// 400: a field of the request is wrong.
    #[must_use]
    pub fn bad_field(field: &str, detail: Text) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_field", detail).field(field)
    }

    /// 400: a field of the request is wrong, for a reason that depends on it.
    #[must_use]
    pub fn wrong_field(field: &str, misfit: &Misfit) -> Self {
        let code = Cow::Borrowed("invalid_field");
        let detail = Lang::ALL.map(|lang| misfit.tell(lang));
        Self::described(StatusCode::BAD_REQUEST, code, detail).field(field)
    }

    /// 400: JSON or parameters of the wrong shape; `prefix` is where in the request they stand.
    #[must_use]
    pub fn bad_shape(prefix: &str, shape: BadShape) -> Self {
        let detail = Lang::ALL.map(|lang| shape.misfit.tell(lang));
        let field = match (prefix, shape.field) {
            ("", field) => field,
            (prefix, Some(field)) => Some(format!("{prefix}.{field}")),
            (prefix, None) => Some(prefix.to_owned()),
        };
        let mut error =
            Self::described(StatusCode::BAD_REQUEST, Cow::Borrowed("malformed"), detail);
        error.0.field = field;
        error
    }

    /// 401: the caller is not authenticated.
    #[must_use]
    pub fn unauthorized(code: &'static str, detail: Text) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, detail)
    }

    /// 401: the player was deleted.
    #[must_use]
    pub fn player_gone() -> Self {
        Self::unauthorized(
            "player_gone",
            Text::new("This player was deleted.", "Esta cuenta se ha eliminado."),
        )
    }

    /// 401: the session was ended.
    #[must_use]
    pub fn session_ended() -> Self {
        Self::unauthorized(
            "session_ended",
            Text::new(
                "This session has ended; log in again.",
                "Esta sesión ha terminado; vuelve a iniciar sesión.",
            ),
        )
    }

    /// 403: the token may not do this.
    #[must_use]
    pub fn missing_scope(need: Requirement) -> Self {
        let id = need.id();
        let detail = match need {
            Requirement::Scope(_) => [
                format!("This needs the scope `{id}`; use a token that has it."),
                format!("Hace falta el permiso `{id}`; usa un token que lo tenga."),
            ],
            Requirement::Session => [
                "Only the access token of a session can do this; log in.".to_owned(),
                "Esto solo se puede hacer con el token de una sesión; inicia sesión.".to_owned(),
            ],
            Requirement::Application(_) => [
                format!(
                    "Only an application can do this, with the scope `{id}` and without `Telar-Player`."
                ),
                format!(
                    "Esto solo lo puede hacer una aplicación, con el permiso `{id}` y sin `Telar-Player`."
                ),
            ],
        };
        let mut error =
            Self::described(StatusCode::FORBIDDEN, Cow::Borrowed("missing_scope"), detail);
        error.0.need = Some(need);
        error
    }

    /// 404: not found, or the caller has no access.
    #[must_use]
    pub fn not_found() -> Self {
        Self::new(
            StatusCode::NOT_FOUND,
            "not_found",
            Text::new("Not found, or you don't have access.", "No existe o no tienes acceso."),
        )
    }

    /// 412: the match has moved on.
    #[must_use]
    pub fn stale(version: u64) -> Self {
        Self::new(
            StatusCode::PRECONDITION_FAILED,
            "stale_version",
            Text::new(
                "The match has changed since that version; fetch it again and decide on the new state.",
                "La partida ha cambiado desde esa versión; vuelve a consultarla y decide de nuevo.",
            ),
        )
        .version(version)
    }

    /// 422: the same `Idempotency-Key` with another request.
    #[must_use]
    pub fn key_reused() -> Self {
        Self::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "idempotency_key_reused",
            Text::new(
                "This Idempotency-Key was used with another request; choose a new one.",
                "Esta Idempotency-Key se usó con otra petición; elige una nueva.",
            ),
        )
    }

    /// 500: our fault; the details are in the log only.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            Text::new(
                "Something went wrong on the server, perhaps after your request was carried out. Check before you repeat it, or repeat it with the same Idempotency-Key.",
                "Algo ha fallado en el servidor, quizá después de completar tu petición. Compruébalo antes de repetirla, o repítela con la misma Idempotency-Key.",
            ),
        )
    }

    /// 429: the client is over a limit.
    #[must_use]
    pub fn too_many(code: &'static str, detail: Text, seconds: u32) -> Self {
        let mut error = Self::new(StatusCode::TOO_MANY_REQUESTS, code, detail);
        error.0.retry_after = Some(seconds);
        error
    }

    /// 503: the request was not carried out; try again later.
    #[must_use]
    pub fn unavailable() -> Self {
        let mut error = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "unavailable",
            Text::new(
                "The server cannot do this at the moment, and your request was not carried out. Try again shortly, with the same Idempotency-Key.",
                "El servidor no puede hacerlo ahora mismo y tu petición no se ha completado. Inténtalo en un momento, con la misma Idempotency-Key.",
            ),
        );
        error.0.retry_after = Some(1);
        error
    }

    /// 503: this server only answers reads.
    #[must_use]
    pub fn read_only() -> Self {
        Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "read_only",
            Text::new(
                "This server is read-only, and your request was not carried out. Send it to a server that accepts changes.",
                "Este servidor es de solo lectura y tu petición no se ha completado. Envíala a un servidor que admita cambios.",
            ),
        )
    }

    /// 503: nobody knows whether the request was carried out.
    #[must_use]
    pub fn outcome_unknown() -> Self {
        let mut error = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "outcome_unknown",
            Text::new(
                "The store did not confirm your request, which may have been carried out. Repeat it with the same Idempotency-Key to find out.",
                "El almacén no ha confirmado tu petición, que quizá se haya completado. Repítela con la misma Idempotency-Key para saberlo.",
            ),
        );
        error.0.retry_after = Some(1);
        error
    }

    /// 503: parts of the server are down.
    #[must_use]
    pub fn not_ready(store: Option<Outage>, tasks: &[&str]) -> Self {
        let describe = |lang: Lang| {
            let store = store.map(|outage| format!("store ({})", outage_text(outage).get(lang)));
            let down = store.into_iter().chain(tasks.iter().map(|task| (*task).to_owned()));
            down.collect::<Vec<_>>().join(", ")
        };
        let mut error = Self::described(
            StatusCode::SERVICE_UNAVAILABLE,
            Cow::Borrowed("not_ready"),
            [
                format!("The server is not ready. Down: {}.", describe(Lang::En)),
                format!("El servidor no está listo. Caído: {}.", describe(Lang::Es)),
            ],
        );
        error.0.retry_after = Some(1);
        error
    }

    /// 405: the method is not allowed.
    #[must_use]
    pub fn method_not_allowed(allow: String) -> Self {
        let mut error = Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            Text::new("This method is not allowed here.", "Aquí no se permite este método."),
        );
        error.0.allow = Some(allow);
        error
    }

    /// A refused command: which rule, and where to look for what is allowed.
    #[must_use]
    pub fn refused(refused: Refused, game: &str) -> Self {
        match refused {
            Refused::Malformed(shape) => Self::bad_shape("move", shape),
            Refused::Stale { current } => Self::stale(current),
            Refused::Rule(info) => {
                let code = Cow::Owned(format!("{game}.{}", info.code));
                let rules = format!("/v1/games/{game}");
                Self::rule(StatusCode::UNPROCESSABLE_ENTITY, code, info, rules)
            }
            Refused::Match(MatchRefusal::WrongInviteCode) => Self::not_found(),
            Refused::Match(refusal) => {
                let status = match refusal {
                    MatchRefusal::SeatCount
                    | MatchRefusal::NoSuchSeat
                    | MatchRefusal::ForkPoint => StatusCode::UNPROCESSABLE_ENTITY,
                    MatchRefusal::NotSeated
                    | MatchRefusal::NotCreator
                    | MatchRefusal::NoHints
                    | MatchRefusal::WrongInviteCode => StatusCode::FORBIDDEN,
                    MatchRefusal::SeatTaken
                    | MatchRefusal::MatchFull
                    | MatchRefusal::AlreadySeated
                    | MatchRefusal::AlreadyStarted
                    | MatchRefusal::NotStarted
                    | MatchRefusal::HasResigned
                    | MatchRefusal::MatchOver
                    | MatchRefusal::NotFinished
                    | MatchRefusal::NotDue
                    | MatchRefusal::Paused
                    | MatchRefusal::PauseAsked
                    | MatchRefusal::NotPaused
                    | MatchRefusal::NoBot => StatusCode::CONFLICT,
                };
                let info = refusal.info();
                let code = Cow::Borrowed(info.code);
                let mut error = Self::rule(status, code, info, "/v1/rules".to_owned());
                if let (MatchRefusal::SeatCount, Some(game)) = (refusal, games::find(game)) {
                    error.0.detail = Lang::ALL.map(|lang| game.info().seats(lang));
                }
                error
            }
        }
    }

    fn rule(status: StatusCode, code: Cow<'static, str>, info: RefusalInfo, rules: String) -> Self {
        let mut error =
            Self::described(status, code, [info.text.en.to_owned(), info.text.es.to_owned()]);
        error.0.rule = Some(BrokenRule { number: info.rule, rules });
        error
    }

    /// Names the field that is wrong.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.0.field = Some(field.to_owned());
        self
    }

    /// Says when to try again, in seconds.
    #[must_use]
    pub fn retry_after(mut self, seconds: u32) -> Self {
        self.0.retry_after = Some(seconds);
        self
    }

    /// Names the version of the match now.
    #[must_use]
    pub fn version(mut self, version: u64) -> Self {
        self.0.version = Some(version);
        self
    }

    /// Says where the legal moves are.
    #[must_use]
    pub fn legal_moves(mut self, id: uuid::Uuid) -> Self {
        self.0.legal_moves = Some(format!("/v1/matches/{id}/legal-moves"));
        self
    }

    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The same, in this language and about this address.
    #[must_use]
    pub fn spoken(mut self, lang: Lang, path: &str) -> Self {
        self.0.lang = lang;
        self.0.instance = Some(path.to_owned());
        self
    }

    /// The problem document as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(&self.problem()).unwrap_or_default()
    }

    fn problem(&self) -> Problem {
        let inner = &self.0;
        let [en, es] = &inner.detail;
        Problem {
            kind: format!("urn:telar:problem:{}", inner.code),
            title: inner.title.get(inner.lang).to_owned(),
            status: inner.status.as_u16(),
            code: inner.code.clone().into_owned(),
            detail: inner.lang.pick(en, es).clone(),
            instance: inner.instance.clone(),
            field: inner.field.clone(),
            rule: inner.rule.as_ref().map(|rule| rule.number.to_owned()),
            rules: inner.rule.as_ref().map(|rule| format!("{}#{}", rule.rules, rule.number)),
            version: inner.version,
            legal_moves: inner.legal_moves.clone(),
            scope: inner.need.map(|need| need.id().to_owned()),
        }
    }
}

fn outage_text(outage: Outage) -> Text {
    match outage {
        Outage::Unreachable => Text::new("unreachable", "no responde"),
        Outage::Busy => Text::new("busy", "ocupado"),
        Outage::Full => Text::new("no space left", "sin espacio"),
        Outage::ReadOnly => Text::new("read-only", "solo lectura"),
    }
}

fn title(status: StatusCode) -> Text {
    match status {
        StatusCode::BAD_REQUEST => Text::new("Malformed request", "Petición mal formada"),
        StatusCode::UNAUTHORIZED => Text::new("Not authenticated", "Sin identificar"),
        StatusCode::FORBIDDEN => Text::new("Not allowed", "No permitido"),
        StatusCode::NOT_FOUND => Text::new("Not found", "No encontrado"),
        StatusCode::METHOD_NOT_ALLOWED => Text::new("Method not allowed", "Método no permitido"),
        StatusCode::NOT_ACCEPTABLE => Text::new("Not acceptable", "No aceptable"),
        StatusCode::REQUEST_TIMEOUT => Text::new("Too slow", "Demasiado lento"),
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            Text::new("Headers too large", "Cabeceras demasiado grandes")
        }
        StatusCode::CONFLICT => Text::new("Conflict", "Conflicto"),
        StatusCode::PRECONDITION_FAILED => Text::new("Stale version", "Versión anticuada"),
        StatusCode::PAYLOAD_TOO_LARGE => Text::new("Body too large", "Cuerpo demasiado grande"),
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Text::new("Not JSON", "No es JSON"),
        StatusCode::UNPROCESSABLE_ENTITY => {
            Text::new("Refused by the rules", "Rechazado por las reglas")
        }
        StatusCode::TOO_MANY_REQUESTS => Text::new("Too many requests", "Demasiadas peticiones"),
        StatusCode::SERVICE_UNAVAILABLE => Text::new("Unavailable", "No disponible"),
        _ => Text::new("Internal error", "Error interno"),
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.0.code, self.0.detail[0])
    }
}

impl ResponseError for ApiError {
    fn status_code(&self) -> StatusCode {
        self.0.status
    }

    fn error_response(&self) -> HttpResponse {
        let inner = &self.0;
        let mut response = HttpResponse::build(inner.status);
        response.content_type("application/problem+json");
        response.insert_header((header::CONTENT_LANGUAGE, inner.lang.tag()));
        if inner.status == StatusCode::UNAUTHORIZED {
            response.insert_header((header::WWW_AUTHENTICATE, "Bearer"));
        }
        if let Some(need) = inner.need {
            let challenge = format!("Bearer error=\"insufficient_scope\", scope=\"{}\"", need.id());
            response.insert_header((header::WWW_AUTHENTICATE, challenge));
        }
        if let Some(seconds) = inner.retry_after {
            response.insert_header((header::RETRY_AFTER, seconds.to_string()));
        }
        if let Some(allow) =
            inner.allow.as_deref().and_then(|allow| HeaderValue::from_str(allow).ok())
        {
            response.insert_header((header::ALLOW, allow));
        }
        response.body(self.to_json())
    }
}

impl From<store::Error> for ApiError {
    fn from(error: store::Error) -> Self {
        match &error {
            store::Error::Unavailable(..) => {
                tracing::warn!(%error, "the store is unavailable");
                Self::unavailable()
            }
            store::Error::Unknown(_) => {
                tracing::error!(%error, "the outcome of a request is unknown");
                Self::outcome_unknown()
            }
            store::Error::ArchiveUnavailable(_) => {
                tracing::error!(%error, "an archived match cannot be read");
                Self::archive_unavailable()
            }
            store::Error::ArchiveDamaged(_) => {
                tracing::error!(%error, "an archived match cannot be read");
                Self::archive_damaged()
            }
            store::Error::Taken(_) | store::Error::Failed(_) => {
                tracing::error!(%error, "the store failed");
                Self::internal()
            }
        }
    }
}

impl From<service::Error> for ApiError {
    fn from(error: service::Error) -> Self {
        use service::Error;
        match error {
            Error::Refused(refused) => (*refused).into(),
            Error::Stale { version } => Self::stale(version),
            Error::KeyReused => Self::key_reused(),
            Error::Contended => Self::unavailable(),
            Error::Append(error) => {
                match &error {
                    AppendError::Busy => metrics::counter!("telar_refused_busy_total").increment(1),
                    AppendError::Unavailable(_) => {
                        tracing::warn!(%error, "a commit was not written");
                    }
                    AppendError::Unknown(_) => {
                        tracing::error!(%error, "the fate of a commit is unknown");
                        return Self::outcome_unknown();
                    }
                }
                Self::unavailable()
            }
            Error::Store(error) => error.into(),
            Error::Corrupt(error) => error.into(),
            Error::Busy(busy) => busy.into(),
            Error::Stopped(stopped) => stopped.into(),
            Error::Hashing => {
                tracing::error!(%error, "internal error");
                Self::internal()
            }
        }
    }
}

impl From<RefusedCommand> for ApiError {
    fn from(command: RefusedCommand) -> Self {
        let RefusedCommand { refused, game, position, is_move } = command;
        // Without the invite code, a private match is like one that does not exist.
        if matches!(refused, Refused::Match(MatchRefusal::WrongInviteCode)) {
            return Self::not_found();
        }
        let error = match (refused, position) {
            // Only a match that does not exist yet has options that can be wrong.
            (Refused::Malformed(shape), None) => Self::bad_shape("options", shape),
            (refused, _) => Self::refused(refused, game),
        };
        match position {
            Some((id, version)) if is_move => error.version(version).legal_moves(id),
            Some((_, version)) => error.version(version),
            None => error,
        }
    }
}

impl From<domain::matches::Corrupt> for ApiError {
    fn from(error: domain::matches::Corrupt) -> Self {
        tracing::error!(%error, "a stored match cannot be read");
        Self::internal()
    }
}

/// Declares the answer for a problem status in the OpenAPI document.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident = $status:literal, $description:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, IntoResponses)]
            #[response(status = $status, description = $description, content_type = "application/problem+json")]
            pub struct $name(#[expect(dead_code, reason = "names the schema")] Problem);
        )*
    };
}

problems! {
    /// Declares 403.
    Forbidden = 403, "You may not do this.";
    /// Declares 404.
    NotFound = 404, "Not found, or you don't have access.";
    /// Declares 406.
    NotAcceptable = 406, "None of the types in `Accept` is available.";
    /// Declares 409.
    Conflict = 409, "Not possible in the current state: for example, a name is taken or a match has already started.";
    /// Declares 412.
    Stale = 412, "The match has changed since the version in `If-Match`.";
    /// Declares 422.
    Unprocessable = 422, "A rule forbids it, or the Idempotency-Key was used with another request.";
    /// Declares 429.
    TooMany = 429, "Too many at once; try again after `Retry-After` seconds.";
}
