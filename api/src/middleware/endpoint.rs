//! Endpoints: a handler, its documentation, and the properties of its route: what it requires of a token, its rate limit and
//! its label in the metrics. The router is actix's; everything else about a route is looked up by nobody, because the route
//! brings it along.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use actix_web::{
    Error, FromRequest, Handler, HttpMessage, HttpResponse, Responder, Route,
    body::{BoxBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    guard,
    http::{Method, StatusCode},
    middleware::{Next, from_fn},
    web::{self, Data, ServiceConfig},
};
use metrics::{Counter, Histogram, Label};
use service::identity::{ApplicationScope, Requirement};
use utoipa::openapi::{
    OpenApi,
    path::{HttpMethod, Operation, PathItem},
};
use utoipa_actix_web::OpenApiFactory;

use super::caller::{Recognised, known_application, recognise};
use crate::{
    app::App,
    error::ApiError,
    http::Addresses,
    limits::{Exceeded, LimitState, Limits, RateClass},
};

/// A handler with its documentation and the properties of its route.
pub struct Endpoint {
    path: String,
    method: Method,
    requirement: Option<Requirement>,
    rate: RateClass,
    route: Route,
    /// Asked for the whole documentation only when the document is written: that takes longer than everything else that a
    /// server does when it starts.
    documentation: &'static dyn OpenApiFactory,
}

impl Endpoint {
    /// An endpoint from what `#[utoipa::path]` generated for a handler, and the handler.
    ///
    /// # Panics
    /// When the documentation does not name exactly one path and method: found by every test that starts a server.
    #[must_use]
    pub fn new<F, Args>(documentation: &'static impl OpenApiFactory, handler: F) -> Self
    where
        F: Handler<Args>,
        Args: FromRequest + 'static,
        F::Output: Responder + 'static,
    {
        let paths = documentation.paths();
        let (path, item) = paths.paths.first_key_value().expect("an endpoint has a path");
        let (method, operation) = operation(item).expect("an endpoint has a method");
        let rate = if path.starts_with("/v1/") { RateClass::Request } else { RateClass::Unlimited };
        Self {
            path: path.clone(),
            requirement: requirement(operation),
            route: Route::new().guard(guard::Method(method.clone())).to(handler),
            method,
            rate,
            documentation,
        }
    }

    /// Its path, such as `/v1/matches/{id}`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Counts its requests in another class.
    #[must_use]
    pub fn limited_as(self, rate: RateClass) -> Self {
        Self { rate, ..self }
    }
}

fn operation(item: &PathItem) -> Option<(Method, &Operation)> {
    let operations = [
        (HttpMethod::Get, Method::GET, &item.get),
        (HttpMethod::Post, Method::POST, &item.post),
        (HttpMethod::Put, Method::PUT, &item.put),
        (HttpMethod::Patch, Method::PATCH, &item.patch),
        (HttpMethod::Delete, Method::DELETE, &item.delete),
    ];
    operations.into_iter().find_map(|(_, method, operation)| Some((method, operation.as_ref()?)))
}

/// What an operation declares: `security(("bearer" = ["match:read"]))` for players, `security(("application" = ["player:write"]))`
/// for applications. What both may do is declared for players; the handler asks for a `Creator`.
fn requirement(operation: &Operation) -> Option<Requirement> {
    let declared = serde_json::to_value(operation.security.as_ref()?).expect("plain data");
    declared_requirement(&declared)
}

/// The requirement in a list of security requirements.
pub fn declared_requirement(declared: &serde_json::Value) -> Option<Requirement> {
    let ways = declared.as_array()?;
    let scope = |scheme: &str| ways.iter().find_map(|way| way[scheme][0].as_str());
    match scope("bearer") {
        Some(id) => Requirement::from_id(id),
        None => ApplicationScope::from_id(scope("application")?).map(Requirement::Application),
    }
}

/// Adds the documentation of endpoints to a document.
pub fn document(endpoints: Vec<Endpoint>, document: &mut OpenApi) {
    let components = document.components.get_or_insert_default();
    for Endpoint { documentation, .. } in endpoints {
        let mut schemas = Vec::new();
        documentation.schemas(&mut schemas);
        components.schemas.extend(schemas);
        document.paths.merge(documentation.paths());
    }
}

/// What a resource knows about its routes.
#[derive(Debug)]
struct ResourceInfo {
    /// The path as in `/v1/matches/{id}`: also the label in the metrics.
    template: &'static str,
    operations: Vec<(Method, Option<Requirement>, RateClass)>,
    fallback: RateClass,
}

impl ResourceInfo {
    fn rate(&self, method: &Method) -> RateClass {
        let operation = self.operations.iter().find(|(known, _, _)| known == method);
        operation.map_or(self.fallback, |(_, _, rate)| *rate)
    }

    fn requirement(&self, method: &Method) -> Option<Requirement> {
        let operation = self.operations.iter().find(|(known, _, _)| known == method);
        operation.and_then(|(_, requirement, _)| *requirement)
    }

    /// Whether requests with this method change something.
    fn changes(&self, method: &Method) -> bool {
        !method.is_safe() && self.operations.iter().any(|(known, _, _)| known == method)
    }

    fn allowed(&self) -> String {
        let mut methods: Vec<&str> =
            self.operations.iter().map(|(method, _, _)| method.as_str()).collect();
        methods.sort_unstable();
        methods.join(", ")
    }
}

/// Registers endpoints: one resource per path, in the order in which their paths first occur.
pub fn register(endpoints: Vec<Endpoint>, config: &mut ServiceConfig) {
    let mut order: Vec<String> = Vec::new();
    let mut by_path: BTreeMap<String, Vec<Endpoint>> = BTreeMap::new();
    for endpoint in endpoints {
        if !by_path.contains_key(&endpoint.path) {
            order.push(endpoint.path.clone());
        }
        by_path.entry(endpoint.path.clone()).or_default().push(endpoint);
    }
    for path in order {
        let endpoints = by_path.remove(&path).expect("every path was entered above");
        let info = leak(ResourceInfo {
            fallback: if path.starts_with("/v1/") {
                RateClass::Request
            } else {
                RateClass::Unlimited
            },
            operations: endpoints
                .iter()
                .map(|endpoint| (endpoint.method.clone(), endpoint.requirement, endpoint.rate))
                .collect(),
            template: path.clone().leak(),
        });
        let resource = endpoints
            .into_iter()
            .fold(web::resource(path), |resource, endpoint| resource.route(endpoint.route));
        let refuse = move || async move {
            Err::<HttpResponse, _>(ApiError::method_not_allowed(info.allowed()))
        };
        config.service(
            resource
                .default_service(web::to(refuse))
                .wrap(from_fn(move |request, next| serve(info, request, next))),
        );
    }
    let unknown = web::to(|| async { Err::<HttpResponse, _>(ApiError::not_found()) });
    config.default_service(unknown.wrap(from_fn(serve_unknown)));
}

/// Routes live as long as the process: a server has a fixed number of them.
fn leak(info: ResourceInfo) -> &'static ResourceInfo {
    Box::leak(Box::new(info))
}

/// Requests for paths that do not exist.
static UNKNOWN: ResourceInfo =
    ResourceInfo { template: "unknown", operations: Vec::new(), fallback: RateClass::Request };
/// The same outside of the API.
static UNKNOWN_PAGE: ResourceInfo =
    ResourceInfo { template: "unknown", operations: Vec::new(), fallback: RateClass::Unlimited };

async fn serve_unknown<B: MessageBody + 'static>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let is_api = request.path().starts_with("/v1/");
    serve(if is_api { &UNKNOWN } else { &UNKNOWN_PAGE }, request, next).await
}

/// Serves a request: counts it, limits it, and finds out who is asking.
async fn serve<B: MessageBody + 'static>(
    info: &'static ResourceInfo,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let started = Instant::now();
    let method = method_name(request.method());
    let answer = admit(info, request, next).await;
    let status = match &answer {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    FIGURES.with_borrow_mut(|figures| {
        let figures = figures.entry((info.template, method, status)).or_insert_with(|| {
            let labels = [
                Label::from_static_parts("route", info.template),
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

/// Limits a request, first by address, before anything is looked up, then by player or application.
async fn admit<B: MessageBody + 'static>(
    info: &'static ResourceInfo,
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let Some(app) = request.app_data::<Data<App>>() else {
        return Err(ApiError::internal().into());
    };
    let rate = info.rate(request.method());
    let checked = check_limits(app, info, rate, &request).await;
    let is_refused = app.db.is_read_only() && info.changes(request.method());
    match checked {
        Ok(state) => {
            if let Some(state) = state {
                request.extensions_mut().insert(state);
            }
            if is_refused {
                return Ok(request.error_response(ApiError::read_only()));
            }
            Ok(next.call(request).await?.map_into_boxed_body())
        }
        Err(exceeded) => {
            request.extensions_mut().insert(exceeded.state);
            Ok(request.error_response(exceeded.problem))
        }
    }
}

/// Counts a request for its address and its sender, and finds out who that is. Applications have a limit of their own instead of
/// one per address. But as long as nobody knows that it is one, the address counts, so that looking at invented tokens is limited.
async fn check_limits(
    app: &App,
    info: &'static ResourceInfo,
    rate: RateClass,
    request: &ServiceRequest,
) -> Result<Option<LimitState>, Exceeded> {
    let is_known =
        app.limits.counts_addresses() && known_application(app, request.headers()).is_some();
    let mut by_address = if is_known { None } else { limit_address(app, rate, request)? };
    let recognised = recognise(app, request.headers()).await;
    if is_known && matches!(recognised, Recognised::Refused(_)) {
        by_address = limit_address(app, rate, request)?;
    }
    let by_caller = limit_caller(&app.limits, rate, &recognised)?;
    let mut extensions = request.extensions_mut();
    extensions.insert(recognised);
    extensions.insert(RouteRequirement(info.requirement(request.method())));
    Ok(by_caller.or(by_address))
}

fn limit_address(
    app: &App,
    rate: RateClass,
    request: &ServiceRequest,
) -> Result<Option<LimitState>, Exceeded> {
    let addresses = request.app_data::<Data<Addresses>>();
    app.limits.check_address(rate, || {
        Addresses::address(addresses, request.peer_addr(), request.headers())
    })
}

fn limit_caller(
    limits: &Limits,
    rate: RateClass,
    recognised: &Recognised,
) -> Result<Option<LimitState>, Exceeded> {
    match recognised {
        Recognised::Application(token) => limits.check_application(rate, token.application),
        Recognised::Known(caller) => match caller.on_behalf {
            Some(token) => limits.check_application(rate, token.application),
            None => limits.check_player(rate, caller.player),
        },
        _ => Ok(None),
    }
}

/// In the extensions of a request: what its route requires of a token.
#[derive(Debug, Clone, Copy)]
pub(super) struct RouteRequirement(pub(super) Option<Requirement>);

/// Route, method and status.
type FigureKey = (&'static str, &'static str, StatusCode);

thread_local! {
    /// The figures that this thread has recorded already: looking them up again would cost more than counting.
    static FIGURES: RefCell<HashMap<FigureKey, (Counter, Histogram)>> = RefCell::default();
}

/// The label of a method; unusual ones share one.
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
