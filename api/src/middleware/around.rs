//! Around the whole server: a span, headers of every response, problems in the client's language, panics caught.

use std::{
    panic::AssertUnwindSafe,
    pin::Pin,
    task::{Context, Poll},
};

use actix_web::{
    Error, HttpMessage,
    body::{BodySize, BoxBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderMap, HeaderValue},
    },
    middleware::Next,
    web::Data,
};
use futures_util::FutureExt;
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    http::{RefusedConnection, Requests, is_chunked, preferred_language, receive},
    limits::LimitState,
};

/// In the extensions of a request that was HEAD: no stream is opened for it.
#[derive(Debug, Clone, Copy)]
pub struct Bodiless;

/// Surrounds a request. One function instead of one per duty, since each layer of actix costs every request.
pub async fn around<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let span = request_span(&request);
    let _being_served = request.conn_data::<Requests>().and_then(Requests::begin);
    let answer = common_headers(request, next).instrument(span.clone()).await;
    if !span.is_disabled() {
        let status = match &answer {
            Ok(response) => response.status(),
            Err(error) => error.as_response_error().status_code(),
        };
        span.record("status", status.as_u16());
    }
    answer
}

/// What the log says about a request.
fn request_span(request: &ServiceRequest) -> Span {
    let id = || {
        let app = request.app_data::<Data<App>>();
        app.map_or_else(Uuid::nil, |app| app.clock.new_id())
    };
    tracing::info_span!(
        "request",
        method = request.method().as_str(),
        path = request.path(),
        id = %id(),
        status = tracing::field::Empty,
    )
}

/// Sets the headers of every response. HEAD is answered like GET; the body is left out when it is sent.
async fn common_headers<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
        request.extensions_mut().insert(Bodiless);
    }
    let (mut response, unread) = match receive_chunked(&mut request).await {
        Ok(()) => (localise_problem(request, next).await?, None),
        Err((problem, payload)) => {
            let problem = problem.spoken(preferred_language(request.headers()), request.path());
            (request.error_response(problem), Some(payload))
        }
    };
    let limit = response.request().extensions_mut().remove::<LimitState>();
    let headers = response.headers_mut();
    set_common(headers);
    if let Some(limit) = limit {
        limit.write(headers);
    }
    Ok(match unread {
        Some(payload) => {
            response.map_body(|_, body| BoxBody::new(Unread { body, _payload: payload }))
        }
        None => response,
    })
}

/// Receives a chunked body before anything else happens. actix drops the connection after the response if a body of known
/// length was not read; of a chunked one it would read the rest, for as long as the client likes.
async fn receive_chunked(request: &mut ServiceRequest) -> Result<(), (ApiError, Payload)> {
    if request.conn_data::<RefusedConnection>().is_some() {
        return Err((ApiError::busy(), request.take_payload()));
    }
    if !is_chunked(request) {
        return Ok(());
    }
    let mut payload = request.take_payload();
    match receive(request.request(), &mut payload).await {
        Ok(body) => {
            let (_, mut received) = actix_http::h1::Payload::create(true);
            received.unread_data(body);
            request.set_payload(Payload::from(received));
            Ok(())
        }
        Err(problem) => Err((problem, payload)),
    }
}

/// A response to a request whose body was not read to its end. As long as the response has the rest of the body, actix closes
/// the connection after it.
struct Unread {
    body: BoxBody,
    _payload: Payload,
}

impl MessageBody for Unread {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<actix_web::web::Bytes, Self::Error>>> {
        Pin::new(&mut self.get_mut().body).poll_next(context)
    }
}

/// The headers that every response has.
pub(super) fn set_common(headers: &mut HeaderMap) {
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

/// Writes problems in the language that the client prefers, and names the path of the request.
async fn localise_problem<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let lang = preferred_language(request.headers());
    let path = request.path().to_owned();
    let response = catch_panics(request, next).await.map_err(|error| {
        let problem = error.as_error::<ApiError>().cloned();
        problem.map_or(error, |problem| problem.spoken(lang, &path).into())
    })?;
    let error = response.response().error();
    let problem = error.and_then(|error| error.as_error::<ApiError>()).cloned();
    Ok(match problem {
        Some(problem) => response.error_response(problem.spoken(lang, &path)),
        None => response.map_into_boxed_body(),
    })
}

/// Turns a panic into a problem of the request that caused it.
async fn catch_panics<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    AssertUnwindSafe(next.call(request)).catch_unwind().await.unwrap_or_else(|_| {
        metrics::counter!("telar_panics_total").increment(1);
        Err(ApiError::internal().into())
    })
}

#[cfg(test)]
mod tests {
    use actix_web::{App, HttpResponse, middleware::from_fn, test, web};
    use serde_json::Value;

    use super::*;

    #[actix_web::test]
    async fn a_panic_is_a_problem_of_one_request_and_shows_nothing() {
        async fn careless() -> HttpResponse {
            panic!("the password is hunter2")
        }
        let app = App::new()
            .route("/careless", web::get().to(careless))
            .route("/fine", web::get().to(HttpResponse::Ok))
            .wrap(from_fn(localise_problem));
        let app = test::init_service(app).await;
        let request =
            || test::TestRequest::get().uri("/careless").insert_header(("accept-language", "es"));
        let error = test::try_call_service(&app, request().to_request()).await.err();
        let response = error.expect("a panic").error_response();
        assert_eq!(response.status(), 500);
        let body = actix_web::body::to_bytes(response.into_body()).await.unwrap();
        let problem: Value = serde_json::from_slice(&body).expect("a problem");
        assert_eq!(problem["code"], "internal");
        assert!(problem["detail"].as_str().expect("a text").starts_with("Algo"));
        assert!(!problem.to_string().contains("hunter2"));
        let fine = test::TestRequest::get().uri("/fine").to_request();
        assert_eq!(test::call_service(&app, fine).await.status(), 200);
    }
}
