//! Around every request: problems in the client's language, panics caught, requests counted.

use std::{cell::RefCell, collections::HashMap, panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    Error, HttpMessage, ResponseError,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method, StatusCode,
        header::{self, HeaderValue},
    },
    middleware::Next,
    web::Data,
};
use futures_util::FutureExt;
use metrics::{Counter, Histogram, Label};
use tracing::{Instrument, Span};
use uuid::Uuid;

use crate::{
    app::App,
    error::ApiError,
    http::{Addresses, preferred_language},
    openapi,
};

mod caller;

pub use caller::{Caller, MaybeCaller, Parting};
use caller::{Recognised, recognise};

/// In the extensions of a request that was HEAD: no stream is to be opened for it.
#[derive(Debug, Clone, Copy)]
pub struct Bodiless;

/// Surrounds a request: who asks is found out and perhaps refused, a panic is caught, problems are written in the client's
/// language, and all of it is counted. One function instead of one a duty, since each layer of actix costs every request.
pub async fn surround<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let span = span(&request);
    let counted = count(request, next).instrument(span.clone()).await;
    if !span.is_disabled() {
        span.record("status", status(&counted).as_u16());
    }
    counted
}

/// What the log says of a request.
fn span(request: &ServiceRequest) -> Span {
    tracing::info_span!(
        "request",
        method = request.method().as_str(),
        path = request.path(),
        id = %request_id(request),
        status = tracing::field::Empty,
    )
}

/// An id for the log, ordered by time.
fn request_id(request: &ServiceRequest) -> Uuid {
    let app = request.app_data::<Data<App>>();
    app.map_or_else(Uuid::nil, |app| app.clock.new_id())
}

/// Counts requests and how long they took, by route.
async fn count<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let started = Instant::now();
    let route = openapi::route_of(request.match_info().as_str());
    let route = route.map_or("unknown", |route| &route.template);
    let method = method_name(request.method());
    let answer = dress(request, next).await;
    FIGURES.with_borrow_mut(|figures| {
        let status = status(&answer);
        let figures = figures.entry((route, method, status)).or_insert_with(|| {
            let labels = [
                Label::from_static_parts("route", route),
                Label::from_static_parts("method", method),
                Label::new("status", status.as_u16().to_string()),
            ];
            let seconds = metrics::histogram!("telar_http_request_seconds", labels[..2].to_vec());
            (metrics::counter!("telar_http_requests_total", labels.to_vec()), seconds)
        });
        figures.0.increment(1);
        figures.1.record(started.elapsed().as_secs_f64());
    });
    answer
}

/// What every answer says. HEAD is answered like GET; the body is left out when it is sent.
async fn dress<B: MessageBody + 'static>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    if request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
        request.extensions_mut().insert(Bodiless);
    }
    let mut answer = admit(request, next).await?;
    let headers = answer.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(answer)
}

/// Says who asks, and whether that is too often: first by address, before anything is looked up, then by player.
async fn admit<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(app) = request.app_data::<Data<App>>() else {
        return Err(ApiError::internal().into());
    };
    let addresses = request.app_data::<Data<Addresses>>();
    let address = || Addresses::address(addresses, request.peer_addr(), request.headers());
    // As the router reads it: `/v1/%67uests` is `/v1/guests`.
    let path = request.match_info().as_str();
    let mut checked = app.limits.check_address(request.method(), path, address);
    if let Ok(by_address) = &checked {
        let recognised = recognise(app, request.headers()).await;
        if let Recognised::Known(caller) = &recognised {
            let by_player = app.limits.check_player(request.method(), path, caller.player);
            checked = by_player.map(|standing| standing.or_else(|| by_address.clone()));
        }
        request.extensions_mut().insert(recognised);
    }
    match checked {
        Ok(standing) => {
            let mut answer = speak(request, next).await?;
            if let Some(standing) = standing {
                standing.write(answer.headers_mut());
            }
            Ok(answer)
        }
        Err(exceeded) => {
            let lang = preferred_language(request.headers());
            let problem = exceeded.problem.spoken(lang, request.path());
            let mut answer = request.into_response(problem.error_response());
            exceeded.standing.write(answer.headers_mut());
            Ok(answer)
        }
    }
}

/// Writes problems in the language that the client prefers, and says where they arose.
async fn speak<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let lang = preferred_language(request.headers());
    let path = request.path().to_owned();
    let answer = catch_panics(request, next).await.map_err(|error| {
        let problem = error.as_error::<ApiError>().cloned();
        problem.map_or(error, |problem| problem.spoken(lang, &path).into())
    })?;
    let problem = answer.response().error().and_then(|error| error.as_error::<ApiError>()).cloned();
    Ok(match problem {
        Some(problem) => answer.error_response(problem.spoken(lang, &path)),
        None => answer.map_into_boxed_body(),
    })
}

/// A panic in one request is that request's problem only.
async fn catch_panics<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    AssertUnwindSafe(next.call(request)).catch_unwind().await.unwrap_or_else(|_| {
        metrics::counter!("telar_panics_total").increment(1);
        Err(ApiError::internal().into())
    })
}

fn status<B>(answer: &Result<ServiceResponse<B>, Error>) -> StatusCode {
    match answer {
        Ok(answer) => answer.status(),
        Err(error) => error.as_response_error().status_code(),
    }
}

/// What is asked for, where, how it ended.
type Asked = (&'static str, &'static str, StatusCode);

thread_local! {
    /// The figures that this thread has written already: finding them anew would cost more than counting.
    static FIGURES: RefCell<HashMap<Asked, (Counter, Histogram)>> = RefCell::default();
}

/// Whatever clients make up is one method.
fn method_name(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
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
            .wrap(from_fn(speak));
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
