//! Problems of the account side: accounts, sessions, personal access tokens, invitations, webhooks.

use actix_web::http::StatusCode;
use domain::{
    game::Refusal,
    matches::{MatchRefusal, Refused},
    text::Text,
};
use service::{
    identity::{AccountError, CreateTokenError, InvalidProfile, RefreshError, TooManyFailures},
    invitations::InviteError,
    webhooks::WebhookError,
};

use super::ApiError;

impl From<AccountError> for ApiError {
    fn from(error: AccountError) -> Self {
        match error {
            AccountError::Invalid(error) => error.into(),
            AccountError::NameTaken => Self::new(
                StatusCode::CONFLICT,
                "name_taken",
                Text::new(
                    "This name is taken, or looks like one that is; choose another one.",
                    "Este nombre ya está en uso o se parece demasiado a otro; elige otro.",
                ),
            )
            .field("name"),
            AccountError::WrongCredentials => Self::unauthorized(
                "wrong_credentials",
                Text::new(
                    "The name or the password is wrong.",
                    "El nombre o la contraseña no son correctos.",
                ),
            ),
            AccountError::WrongRecoveryCode => Self::unauthorized(
                "wrong_recovery_code",
                Text::new(
                    "This recovery code is wrong, or it was used before.",
                    "Este código de recuperación no es correcto o ya se ha usado.",
                ),
            ),
            AccountError::WrongPassword => Self::new(
                StatusCode::FORBIDDEN,
                "wrong_password",
                Text::new(
                    "The password of the account is missing or wrong.",
                    "Falta la contraseña de la cuenta o no es correcta.",
                ),
            ),
            AccountError::WeakKey => Self::bad_field(
                "Idempotency-Key",
                Text::new(
                    "For a guest, the Idempotency-Key must be a random UUID (version 4 or 7): it is all that protects the guest.",
                    "Para un invitado, la Idempotency-Key debe ser un UUID aleatorio (versión 4 o 7): es lo único que lo protege.",
                ),
            ),
            AccountError::NoSuchToken => Self::bad_field(
                "keep_tokens",
                Text::new(
                    "`keep_tokens` goes with a new password and lists ids from GET /v1/me/tokens.",
                    "`keep_tokens` acompaña a una contraseña nueva y contiene ids de GET /v1/me/tokens.",
                ),
            ),
            AccountError::Managed => Self::new(
                StatusCode::FORBIDDEN,
                "managed_by_application",
                Text::new(
                    "This player belongs to an application, which alone can change the profile.",
                    "Este perfil pertenece a una aplicación, y solo ella puede cambiarlo.",
                ),
            ),
            AccountError::TooManyFailures(error) => error.into(),
            AccountError::Deleted => Self::player_gone(),
            AccountError::Service(error) => error.into(),
        }
    }
}

impl From<InvalidProfile> for ApiError {
    fn from(error: InvalidProfile) -> Self {
        let rule =
            |code, field, detail| Self::new(StatusCode::BAD_REQUEST, code, detail).field(field);
        match error {
            InvalidProfile::NameLength => Self::bad_field(
                "name",
                Text::new(
                    "A name has 2 to 30 characters.",
                    "El nombre debe tener entre 2 y 30 caracteres.",
                ),
            ),
            InvalidProfile::NameCharacters => Self::bad_field(
                "name",
                Text::new(
                    "A name consists of visible letters and digits, with spaces, dots, hyphens or underscores between them.",
                    "El nombre debe constar de letras y cifras visibles, con espacios, puntos, guiones o guiones bajos entre ellas.",
                ),
            ),
            InvalidProfile::NameScripts => rule(
                "name_mixes_scripts",
                "name",
                Text::new(
                    "This name mixes scripts whose letters look alike, such as Latin and Cyrillic; use one of them.",
                    "Este nombre mezcla alfabetos con letras que se confunden, como el latino y el cirílico; usa solo uno.",
                ),
            ),
            InvalidProfile::NameReserved => rule(
                "name_reserved",
                "name",
                Text::new(
                    "This name is reserved; choose another one.",
                    "Este nombre está reservado; elige otro.",
                ),
            ),
            InvalidProfile::PasswordLength => Self::bad_field(
                "password",
                Text::new(
                    "A password has 8 to 128 characters.",
                    "La contraseña debe tener entre 8 y 128 caracteres.",
                ),
            ),
            InvalidProfile::PasswordBlank => rule(
                "password_blank",
                "password",
                Text::new(
                    "A password needs characters other than blanks.",
                    "La contraseña no puede constar solo de espacios en blanco.",
                ),
            ),
            InvalidProfile::PasswordCommon => rule(
                "password_common",
                "password",
                Text::new(
                    "Too many people use this password; choose one that is harder to guess.",
                    "Demasiada gente usa esta contraseña; elige otra más difícil de adivinar.",
                ),
            ),
            InvalidProfile::PasswordPersonal => rule(
                "password_personal",
                "password",
                Text::new(
                    "Your name or e-mail address is not a safe password; choose another one.",
                    "Tu nombre o tu correo no es una contraseña segura; elige otra.",
                ),
            ),
            InvalidProfile::Email => Self::bad_field(
                "email",
                Text::new(
                    "This is not a valid e-mail address.",
                    "Esta dirección de correo no es válida.",
                ),
            ),
        }
    }
}

impl From<TooManyFailures> for ApiError {
    fn from(TooManyFailures { seconds }: TooManyFailures) -> Self {
        Self::too_many(
            "too_many_failures",
            Text::new(
                "Too many wrong passwords or codes from your address; try again after `Retry-After` seconds.",
                "Demasiadas contraseñas o códigos incorrectos desde tu dirección; vuelve a intentarlo cuando pasen los segundos de `Retry-After`.",
            ),
            seconds,
        )
    }
}

impl From<RefreshError> for ApiError {
    fn from(error: RefreshError) -> Self {
        match error {
            RefreshError::Invalid => Self::unauthorized(
                "invalid_refresh_token",
                Text::new(
                    "This refresh token is unknown or has expired; log in again.",
                    "Este token de renovación no existe o ha caducado; vuelve a iniciar sesión.",
                ),
            ),
            RefreshError::Reused => Self::unauthorized(
                "refresh_token_reused",
                Text::new(
                    "A later refresh token has been used already, so the session has ended; log in again.",
                    "Ya se ha usado un token de renovación posterior, así que la sesión ha terminado; vuelve a iniciar sesión.",
                ),
            ),
            RefreshError::Store(error) => error.into(),
        }
    }
}

impl From<CreateTokenError> for ApiError {
    fn from(error: CreateTokenError) -> Self {
        match error {
            CreateTokenError::Name => Self::bad_field(
                "name",
                Text::new(
                    "The name of a token has 1 to 60 characters and no control characters.",
                    "El nombre de un token debe tener entre 1 y 60 caracteres, sin caracteres de control.",
                ),
            ),
            CreateTokenError::Days => Self::bad_field(
                "expires_in_days",
                Text::new(
                    "A token is valid for 1 to 366 days.",
                    "Un token puede durar entre 1 y 366 días.",
                ),
            ),
            CreateTokenError::NoScopes => Self::bad_field(
                "scopes",
                Text::new("Name at least one scope.", "Indica al menos un permiso."),
            ),
            CreateTokenError::TooMany => Self::new(
                StatusCode::CONFLICT,
                "too_many_tokens",
                Text::new(
                    "You already have 50 tokens; revoke one that you no longer need.",
                    "Ya tienes 50 tokens; revoca alguno que ya no necesites.",
                ),
            ),
            CreateTokenError::SessionEnded => Self::session_ended(),
            CreateTokenError::Service(error) => error.into(),
        }
    }
}

impl From<InviteError> for ApiError {
    fn from(error: InviteError) -> Self {
        match error {
            InviteError::Refused { refusal, game } => Self::refused(Refused::Match(refusal), game),
            InviteError::AlreadySeated => Self::new(
                StatusCode::CONFLICT,
                MatchRefusal::AlreadySeated.info().code,
                Text::new(
                    "This player already has a seat in the match.",
                    "Esa persona ya tiene sitio en la partida.",
                ),
            )
            .field("player"),
            InviteError::NoSuchPlayer => Self::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "no_such_player",
                Text::new(
                    "There is no such player, or you cannot invite them.",
                    "Esa persona no existe o no puedes invitarla.",
                ),
            )
            .field("player"),
            InviteError::TooMany => Self::new(
                StatusCode::CONFLICT,
                "too_many_invitations",
                Text::new(
                    "A match can have 50 open invitations; withdraw one first.",
                    "Una partida admite 50 invitaciones abiertas; retira antes alguna.",
                ),
            ),
            InviteError::Service(error) => error.into(),
        }
    }
}

impl From<WebhookError> for ApiError {
    fn from(error: WebhookError) -> Self {
        match error {
            WebhookError::Url(refused) => Self::bad_field("url", refused.text()),
            WebhookError::NoEvents => Self::bad_field(
                "events",
                Text::new(
                    "Name at least one event, as in [\"match.turn\"].",
                    "Indica al menos un evento, por ejemplo [\"match.turn\"].",
                ),
            ),
            WebhookError::UnknownGame => Self::bad_field(
                "game",
                Text::new(
                    "There is no such game; GET /v1/games lists them.",
                    "No existe ese juego; GET /v1/games muestra la lista.",
                ),
            ),
            WebhookError::TooMany => Self::new(
                StatusCode::CONFLICT,
                "too_many_webhooks",
                Text::new(
                    "You already have 20 webhooks; delete one first.",
                    "Ya tienes 20 webhooks; elimina antes alguno.",
                ),
            ),
            WebhookError::NotFound => Self::not_found(),
            WebhookError::Inactive => Self::new(
                StatusCode::CONFLICT,
                "webhook_inactive",
                Text::new(
                    "This webhook is not active; PATCH it with {\"active\": true} first.",
                    "Este webhook está desactivado; actívalo antes con PATCH {\"active\": true}.",
                ),
            ),
            WebhookError::Service(error) => error.into(),
        }
    }
}
