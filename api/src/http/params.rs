//! Query parameters: unknown ones are refused, and an error names the parameter.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Query};
use domain::shape::{self, BadShape};
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use super::nul;
use crate::error::ApiError;

/// The most parameters among which a wrong one is searched; no endpoint takes more.
const SEARCHED: usize = 16;

/// The query parameters of a request.
#[derive(Debug)]
pub struct Params<T>(pub T);

/// Two groups of query parameters, of which the first is shared with other endpoints. Serde cannot nest structs that deny
/// unknown fields, so the parameters are divided by their names in the OpenAPI document.
#[derive(Debug)]
pub struct Params2<A, B>(pub A, pub B);

impl<T: DeserializeOwned> FromRequest for Params<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let query = request.query_string();
        ready(nul::refuse_in_query(query).and_then(|()| parse(query)).map(Self))
    }
}

impl<A, B> FromRequest for Params2<A, B>
where
    A: DeserializeOwned + IntoParams,
    B: DeserializeOwned + IntoParams,
{
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let query = request.query_string();
        let parsed = nul::refuse_in_query(query).and_then(|()| parse_two(query));
        ready(parsed.map(|(one, other)| Self(one, other)))
    }
}

fn parse<T: DeserializeOwned>(query: &str) -> Result<T, ApiError> {
    let read =
        |query: &str| Query::<T>::from_query(query).map_err(|error| plain(&error.to_string()));
    match read(query) {
        Ok(params) => Ok(params.into_inner()),
        Err(message) => {
            let pairs: Vec<&str> = query.split('&').take(SEARCHED).collect();
            let field = shape::named_field(&message).or_else(|| {
                let is_culprit = |index: &usize| {
                    let mut rest = pairs.clone();
                    rest.remove(*index);
                    read(&rest.join("&")).err().as_ref() != Some(&message)
                };
                (0..pairs.len()).find(is_culprit).map(|index| name(pairs[index]).to_owned())
            });
            Err(ApiError::bad_shape("", BadShape { field, message }))
        }
    }
}

fn parse_two<A, B>(query: &str) -> Result<(A, B), ApiError>
where
    A: DeserializeOwned + IntoParams,
    B: DeserializeOwned + IntoParams,
{
    let (ours, theirs) = (names::<A>(), names::<B>());
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    let (one, other): (Vec<&str>, Vec<&str>) =
        pairs.partition(|pair| ours.iter().any(|known| known == name(pair)));
    let unknown = other.iter().find(|pair| !theirs.iter().any(|known| known == name(pair)));
    if let Some(pair) = unknown {
        let known: Vec<String> =
            ours.iter().chain(&theirs).map(|name| format!("`{name}`")).collect();
        let (field, known) = (name(pair).to_owned(), known.join(", "));
        let message = format!("unknown field `{field}`, expected one of {known}");
        return Err(ApiError::bad_shape("", BadShape { field: Some(field), message }));
    }
    Ok((parse(&one.join("&"))?, parse(&other.join("&"))?))
}

fn names<T: IntoParams>() -> Vec<String> {
    T::into_params(|| None).into_iter().map(|parameter| parameter.name).collect()
}

fn name(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(name, _)| name)
}

/// The message without actix's prefix.
fn plain(message: &str) -> String {
    message.rsplit_once("Query deserialize error: ").map_or(message, |(_, rest)| rest).to_owned()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize, IntoParams)]
    #[serde(deny_unknown_fields)]
    struct Shared {
        seats: Option<u8>,
    }

    #[derive(Debug, Deserialize, IntoParams)]
    #[serde(deny_unknown_fields)]
    struct Own {
        measure: Option<String>,
    }

    #[test]
    fn parameters_are_divided_by_name_and_unknown_ones_are_refused() {
        let (shared, own) = parse_two::<Shared, Own>("measure=score&seats=2").expect("valid");
        assert_eq!((shared.seats, own.measure.as_deref()), (Some(2), Some("score")));
        assert!(parse_two::<Shared, Own>("").is_ok());
        let refused = |query| parse_two::<Shared, Own>(query).expect_err("refused").to_string();
        assert!(
            refused("seats=2&player=x")
                .ends_with("unknown field `player`, expected one of `seats`, `measure`")
        );
        assert!(refused("seats=two").contains("invalid digit"));
        assert!(refused("seats=1&seats=2").contains("duplicate field `seats`"));
    }
}
