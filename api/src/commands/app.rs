//! `telar app`

use std::time::Duration;

use service::{
    Clock, applications, clock,
    identity::{ApplicationScope, ApplicationScopes},
};
use store::Db;
use time::format_description::well_known::Rfc3339;
use uuid::Uuid;

use super::print_line;
use crate::{
    config::{AppCommand, Config, ConfigError},
    startup::{self, StartError},
};

pub(super) async fn run(config: &Config, command: &AppCommand) -> Result<(), StartError> {
    let log = startup::open_store(config).await?;
    let db = log.database();
    let now = Clock::system().now();
    match command {
        AppCommand::Create { name, scopes } => create(db, name, scopes).await?,
        AppCommand::List => list(db).await?,
        AppCommand::Rotate { client_id, overlap_hours, end_sessions } => {
            let overlap = Duration::from_hours((*overlap_hours).into());
            let rotated = applications::rotate(db, *client_id, overlap, now).await?;
            let rotated = rotated.ok_or_else(|| unknown(*client_id))?;
            print_line(&format!("client_secret  {}", rotated.secret));
            print_line(&format!("The secret before it works until {}.", shown(rotated.until)));
            if *end_sessions {
                let ended = applications::end_sessions(db, *client_id, now).await?;
                print_line(&format!("{ended} sessions ended."));
            }
        }
        AppCommand::Revoke { client_id } => {
            if !applications::revoke(db, *client_id, now).await? {
                return Err(unknown(*client_id));
            }
            print_line("The application is revoked, and the sessions of its players have ended.");
        }
    }
    Ok(())
}

async fn create(db: &Db, name: &str, scopes: &[ApplicationScope]) -> Result<(), StartError> {
    let name = name.trim();
    if !(1..=60).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        let reason = "the name of an application has 1 to 60 characters and no control characters";
        return Err(ConfigError(reason.to_owned()).into());
    }
    let scopes: ApplicationScopes = match scopes {
        [] => ApplicationScope::ALL.into_iter().collect(),
        scopes => scopes.iter().copied().collect(),
    };
    let created = applications::create(db, name, scopes, Clock::system().now()).await?;
    print_line(&format!("client_id      {}", created.id));
    print_line(&format!("client_secret  {}", created.secret));
    print_line(&format!("scopes         {scopes}"));
    print_line("Keep the secret: it is not shown again.");
    Ok(())
}

async fn list(db: &Db) -> Result<(), StartError> {
    for application in applications::list(db).await? {
        let since = shown(domain::time::Timestamp::from_micros(application.created_at));
        let state = match application.revoked_at {
            Some(at) => format!("revoked {}", shown(domain::time::Timestamp::from_micros(at))),
            None => "active".to_owned(),
        };
        print_line(&format!(
            "{}  {}  created {since}  {state}  {}",
            application.id, application.name, application.scopes
        ));
    }
    Ok(())
}

fn shown(time: domain::time::Timestamp) -> String {
    let text = clock::to_datetime(time).format(&Rfc3339);
    text.unwrap_or_else(|_| time.micros().to_string())
}

fn unknown(id: Uuid) -> StartError {
    ConfigError(format!("there is no application {id}, or it was revoked")).into()
}
