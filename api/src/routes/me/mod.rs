//! The authenticated player.

use service::identity::AccountError;

use crate::error::ApiError;

pub mod blocks;
pub mod delete;
pub mod get;
pub mod sessions;
pub mod stream;
pub mod update;

/// The problem for an error, which names the field of the request that holds the password.
fn with_password_field(field: &'static str) -> impl Fn(AccountError) -> ApiError {
    move |error| match error {
        AccountError::WrongPassword => ApiError::from(error).field(field),
        error => error.into(),
    }
}
