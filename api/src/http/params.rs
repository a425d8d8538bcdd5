//! Query parameters: unknown ones are refused, and an error names the parameter.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Query};
use domain::shape::{self, BadShape};
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// The query parameters of a request.
#[derive(Debug)]
pub struct Params<T>(pub T);

impl<T: DeserializeOwned> FromRequest for Params<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(parse(request.query_string()).map(Self))
    }
}

fn parse<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    let read =
        |query: &str| Query::<T>::from_query(query).map_err(|error| plain(&error.to_string()));
    match read(query) {
        Ok(params) => Ok(params.into_inner()),
        Err(message) => {
            // Nothing here takes more parameters than this; a flood of them is not searched.
            let pairs: Vec<&str> = query.split('&').take(16).collect();
            let field = shape::named_field(&message).or_else(|| {
                let name = |pair: &&str| pair.split('=').next().unwrap_or_default().to_owned();
                let is_culprit = |index: &usize| {
                    let mut rest = pairs.clone();
                    rest.remove(*index);
                    read(&rest.join("&")).err().as_ref() != Some(&message)
                };
                (0..pairs.len()).find(is_culprit).map(|index| name(&pairs[index]))
            });
            Err(ApiError::bad_shape("", BadShape { field, message }))
        }
    }
}

/// The message without what it says about the extractor.
fn plain(message: &str) -> String {
    message.rsplit_once("Query deserialize error: ").map_or(message, |(_, rest)| rest).to_owned()
}
