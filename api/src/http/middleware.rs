//! Around every request: problems in the client's language, panics caught, requests counted.

use std::{panic::AssertUnwindSafe, time::Instant};

use actix_web::{
    Error,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderValue},
    },
    middleware::Next,
};
use futures_util::FutureExt;

use super::language;
use crate::error::ApiError;

/// A panic in one request is that request's problem only.
pub async fn catch_panics<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    AssertUnwindSafe(next.call(request)).catch_unwind().await.unwrap_or_else(|_| {
        metrics::counter!("telar_panics_total").increment(1);
        Err(ApiError::internal().into())
    })
}

/// Writes problems in the language that the client prefers, and says where they arose.
pub async fn speak<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let lang = language::preferred(request.headers());
    let path = request.path().to_owned();
    let answer = next.call(request).await.map_err(|error| {
        let problem = error.as_error::<ApiError>().cloned();
        problem.map_or(error, |problem| problem.spoken(lang, &path).into())
    })?;
    let problem = answer.response().error().and_then(|error| error.as_error::<ApiError>()).cloned();
    Ok(match problem {
        Some(problem) => answer.error_response(problem.spoken(lang, &path)),
        None => answer.map_into_boxed_body(),
    })
}

/// Counts requests and how long they took, by route.
pub async fn measure<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    let started = Instant::now();
    let route = request.match_pattern().unwrap_or_else(|| "unknown".to_owned());
    let method = request.method().as_str().to_owned();
    let answer = next.call(request).await;
    let status = match &answer {
        Ok(answer) => answer.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    let labels = [("route", route), ("method", method), ("status", status.as_u16().to_string())];
    metrics::counter!("telar_http_requests_total", &labels).increment(1);
    metrics::histogram!("telar_http_request_seconds", &labels[..2])
        .record(started.elapsed().as_secs_f64());
    answer
}

/// What every answer says. HEAD is answered like GET; the body is left out when it is sent.
pub async fn dress<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, Error> {
    if request.method() == Method::HEAD {
        request.head_mut().method = Method::GET;
    }
    let mut answer = next.call(request).await?;
    let headers = answer.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    Ok(answer)
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
            .wrap(from_fn(catch_panics))
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
