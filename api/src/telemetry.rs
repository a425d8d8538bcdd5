//! Logs and figures.

use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use service::tasks::Shutdown;
use std::{io::IsTerminal, sync::OnceLock, time::Duration};
use tracing_subscriber::EnvFilter;

use crate::config::{Config, ConfigError, LogFormat};

/// The HTTP parser. Its messages are logged if the configured filter names it.
const PARSER_CRATE: &str = "actix_http";

/// How often recorded samples are summed up.
const UPKEEP: Duration = Duration::from_secs(5);

/// Starts logging as configured. Once a process.
pub fn start_logging(config: &Config) -> Result<(), ConfigError> {
    let mut filter = EnvFilter::try_new(&config.log)
        .map_err(|error| ConfigError(format!("TELAR_LOG: {error}")))?;
    // It reports every unreadable request as an error, so anybody could fill the log. They are counted instead.
    if !config.log.contains(PARSER_CRATE) {
        let off = format!("{PARSER_CRATE}::h1::dispatcher=off");
        filter = filter.add_directive(off.parse().expect("a directive"));
    }
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        // Colours are for people, not for files.
        .with_ansi(std::io::stderr().is_terminal())
        .with_writer(std::io::stderr);
    let started = match config.log_format {
        LogFormat::Text => builder.try_init(),
        LogFormat::Json => builder.json().try_init(),
    };
    started.map_err(|error| ConfigError(format!("logging: {error}")))
}

/// The recorder of all figures of the process.
pub fn recorder() -> PrometheusHandle {
    static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();
    HANDLE
        .get_or_init(|| {
            let seconds =
                [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5];
            let recorder = PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &seconds)
                .unwrap_or_else(|_| PrometheusBuilder::new())
                .build_recorder();
            let handle = recorder.handle();
            // Somebody else's recorder in the same process is fine too: then ours stays empty.
            let _ = metrics::set_global_recorder(recorder);
            describe();
            handle
        })
        .clone()
}

/// Sums up recorded samples regularly, until told to stop: otherwise they pile up in memory until somebody asks for the metrics.
pub async fn sum_up(metrics: PrometheusHandle, mut shutdown: Shutdown) {
    loop {
        tokio::select! {
            () = shutdown.requested() => return,
            () = tokio::time::sleep(UPKEEP) => metrics.run_upkeep(),
        }
    }
}

fn describe() {
    metrics::describe_counter!("telar_http_requests_total", "Requests answered.");
    metrics::describe_histogram!("telar_http_request_seconds", "Time to answer a request.");
    metrics::describe_counter!("telar_commits_total", "Commands accepted and stored.");
    metrics::describe_counter!(
        "telar_feed_gaps_total",
        "Times that the feed named a commit which was not visible yet."
    );
    metrics::describe_counter!(
        "telar_feed_gaps_abandoned_total",
        "Commits named by the feed that did not become visible."
    );
    metrics::describe_counter!(
        "telar_lost_races_total",
        "Commits that another replica forestalled."
    );
    metrics::describe_counter!("telar_panics_total", "Requests that panicked.");
    metrics::describe_counter!(
        "telar_unreadable_requests_total",
        "Requests that are not HTTP, too slow or too large in their head."
    );
    metrics::describe_gauge!("telar_streams", "Streams that are open.");
    metrics::describe_gauge!("telar_connections", "Connections that are open.");
    metrics::describe_counter!(
        "telar_connections_refused_total",
        "Connections closed because there were too many."
    );
    metrics::describe_gauge!("telar_unfinished_bodies", "Requests whose body has not arrived.");
    metrics::describe_gauge!("telar_exports", "Exports that are running.");
    metrics::describe_counter!("telar_exported_matches_total", "Matches exported.");
    metrics::describe_counter!("telar_bot_moves_total", "Moves of bots, by level.");
    metrics::describe_histogram!("telar_bot_thinking_seconds", "Time that bots thought, by level.");
    metrics::describe_gauge!("telar_bulkhead_waiting", "Costly requests that wait for a turn.");
    metrics::describe_histogram!(
        "telar_bulkhead_wait_seconds",
        "Time until a costly request had a turn."
    );
    metrics::describe_counter!(
        "telar_bulkhead_refused_total",
        "Costly requests that were refused."
    );
    metrics::describe_counter!("telar_webhook_attempts_total", "Webhooks called.");
    metrics::describe_gauge!("telar_live_matches", "Matches in memory.");
    metrics::describe_gauge!("telar_live_bytes", "What the matches in memory take, about.");
    metrics::describe_gauge!("telar_history_spans", "Spans of logs in memory.");
    metrics::describe_gauge!("telar_history_span_bytes", "Approximate size of these spans.");
    metrics::describe_gauge!("telar_history_checkpoints", "Past states of matches in memory.");
    metrics::describe_gauge!("telar_history_checkpoint_bytes", "Approximate size of these states.");
    metrics::describe_counter!(
        "telar_history_commits_read_total",
        "Commits that were read from the log for readers of matches."
    );
}
