//! Query parameters: unknown ones are refused, and an error names the parameter.

use std::future::{Ready, ready};

use actix_web::{FromRequest, HttpRequest, dev::Payload, web::Query};
use domain::{
    shape::{BadShape, Misfit},
    text::Lang,
};
use serde::de::{DeserializeOwned, value::MapDeserializer};
use utoipa::IntoParams;

use super::nul;
use super::parameter::Parameter;
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
    let pairs = decode(query)?;
    let read = |pairs: &[(String, String)]| {
        let pairs = pairs.iter().map(|(name, value)| (name.as_str(), Parameter(value)));
        T::deserialize(MapDeserializer::new(pairs))
    };
    read(&pairs).map_err(|misfit| {
        let field = misfit.field().map(str::to_owned).or_else(|| {
            let is_culprit = |index: &usize| {
                let mut rest = pairs.clone();
                rest.remove(*index);
                read(&rest).err().as_ref() != Some(&misfit)
            };
            (0..pairs.len().min(SEARCHED)).find(is_culprit).map(|index| pairs[index].0.clone())
        });
        ApiError::bad_shape("", BadShape { field, misfit })
    })
}

/// The decoded pairs of a query.
fn decode(query: &str) -> Result<Vec<(String, String)>, ApiError> {
    let pairs = Query::<Vec<(String, String)>>::from_query(query).map_err(|_| {
        let misfit = Misfit::because(
            "The query string cannot be decoded.",
            "La cadena de consulta no se puede descodificar.",
        );
        ApiError::bad_shape("", BadShape::whole(misfit))
    })?;
    Ok(pairs.into_inner())
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
        let known = |lang: Lang| {
            let names: Vec<String> =
                ours.iter().chain(&theirs).map(|name| format!("`{name}`")).collect();
            lang.list(&names)
        };
        let field = name(pair).to_owned();
        let misfit = Misfit::because(
            format!("`{field}` does not belong here; allowed: {}.", known(Lang::En)),
            format!("`{field}` no corresponde aquí; permitidos: {}.", known(Lang::Es)),
        );
        return Err(ApiError::bad_shape("", BadShape { field: Some(field), misfit }));
    }
    Ok((parse(&one.join("&"))?, parse(&other.join("&"))?))
}

fn names<T: IntoParams>() -> Vec<String> {
    T::into_params(|| None).into_iter().map(|parameter| parameter.name).collect()
}

fn name(pair: &str) -> &str {
    pair.split_once('=').map_or(pair, |(name, _)| name)
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
        let refused = |query| {
            let error = parse_two::<Shared, Own>(query).expect_err("refused");
            error.to_string()
        };
        for (query, text) in [
            ("seats=2&player=x", "`player` does not belong here; allowed: `seats` and `measure`."),
            ("seats=two", "Expected a whole number from 0 to 255, but got the string `two`."),
            ("seats=", "Expected a whole number from 0 to 255, but got the string ``."),
            ("seats=-1", "Expected a whole number from 0 to 255, but got the number -1."),
            ("seats=256", "Expected a whole number from 0 to 255, but got the number 256."),
            ("seats=1&seats=2", "`seats` appears more than once."),
        ] {
            assert_eq!(refused(query), format!("malformed: {text}"), "{query}");
        }
    }
}
