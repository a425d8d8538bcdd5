//! `GET /readyz`

use actix_web::web::{Data, Json};
use serde::Serialize;
use service::tasks::TaskState;
use store::StandbyState;
use utoipa::ToSchema;

use crate::{
    app::App,
    error::{ApiError, ApiResult},
    middleware::Endpoint,
};

/// The readiness of the server.
#[derive(Debug, Serialize, ToSchema)]
pub struct Readiness {
    /// `ok`.
    #[schema(example = "ok")]
    status: &'static str,
    /// The background tasks, in the order in which they were started.
    tasks: Vec<TaskDocument>,
    /// The standby that answers reads, if there is one: `current`, `behind` or `down`. Without it, the store answers all reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "current")]
    standby: Option<&'static str>,
    /// Whether the server refuses to change anything.
    read_only: bool,
}

/// A background task.
#[derive(Debug, Serialize, ToSchema)]
pub struct TaskDocument {
    /// The name of the task.
    #[schema(example = "writer")]
    name: &'static str,
    /// Whether it is running.
    running: bool,
    /// The number of restarts since the server started.
    #[schema(example = 0)]
    restarts: u64,
}

impl From<TaskState> for TaskDocument {
    fn from(TaskState { name, running, restarts }: TaskState) -> Self {
        Self { name, running, restarts }
    }
}

/// The endpoint of this file.
pub fn endpoint() -> Endpoint {
    Endpoint::new(&__path_get_readiness, get_readiness)
}

/// Check that the server is ready
///
/// The server is ready if the store can be written to and all background tasks are running. A read-only server only has to read the
/// store. The response comes within two seconds.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "System",
    responses(
        (status = 200, description = "The server is ready.", body = Readiness),
        (status = 503, description = "The store cannot be written to, or a background task is not running.", body = crate::error::Problem, content_type = "application/problem+json"),
    ),
)]
pub async fn get_readiness(app: Data<App>) -> ApiResult<Json<Readiness>> {
    let store = app.readiness.check().await;
    let tasks = app.tasks.states();
    let down: Vec<&str> = tasks.iter().filter(|task| !task.running).map(|task| task.name).collect();
    if store.is_err() || !down.is_empty() {
        return Err(ApiError::not_ready(store.err(), &down));
    }
    Ok(Json(Readiness {
        status: "ok",
        tasks: tasks.into_iter().map(TaskDocument::from).collect(),
        standby: app.db.standby_state().map(StandbyState::id),
        read_only: app.db.is_read_only(),
    }))
}
