//! The reference that telar is compared with: an actix-web server with one bare handler.

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use actix_web::{App, HttpResponse, HttpServer, web};
use clap::Args;
use serde_json::json;
use sqlx::{PgPool, Row, postgres::PgPoolOptions};
use uuid::Uuid;

/// Runs a bare server until it is killed.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Bare {
    /// Answer every request with the contents of a file.
    #[arg(long)]
    body: Option<PathBuf>,
    /// Answer `/{id}` with a player, found by primary key.
    #[arg(long)]
    database: Option<String>,
}

impl Bare {
    /// Serves.
    pub async fn run(&self) {
        match (&self.body, &self.database) {
            (Some(file), _) => serve_body(file).await,
            (None, Some(url)) => serve_players(url).await,
            (None, None) => unreachable!("one of them is required"),
        }
    }
}

async fn serve_body(file: &Path) {
    let body = web::Bytes::from(std::fs::read(file).expect("the body"));
    let server = HttpServer::new(move || {
        let body = body.clone();
        App::new().default_service(web::to(move || {
            let answer = HttpResponse::Ok().content_type("application/json").body(body.clone());
            async { answer }
        }))
    });
    let server = server.bind("127.0.0.1:0").expect("an address");
    println!("{}", server.addrs()[0]);
    server.run().await.expect("a server");
}

async fn serve_players(url: &str) {
    let pool = PgPoolOptions::new().max_connections(16).connect(url).await.expect("a database");
    let server = HttpServer::new(move || {
        App::new().app_data(web::Data::new(pool.clone())).route("/{id}", web::get().to(player))
    });
    let server = server.bind("127.0.0.1:0").expect("an address");
    println!("{}", server.addrs()[0]);
    server.run().await.expect("a server");
}

async fn player(pool: web::Data<PgPool>, id: web::Path<Uuid>) -> HttpResponse {
    let question = sqlx::query("SELECT id, name, created_at FROM players WHERE id = $1");
    let row = question.bind(*id).fetch_one(pool.get_ref()).await.expect("a player");
    let (id, name, at): (Uuid, String, i64) = (row.get(0), row.get(1), row.get(2));
    HttpResponse::Ok().json(json!({ "id": id, "name": name, "created_at": at }))
}

/// A running bare server, killed on drop.
#[derive(Debug)]
pub struct Reference {
    /// `host:port`.
    pub host: String,
    process: Child,
}

impl Reference {
    /// Starts one with the arguments of [`Bare`].
    pub fn start(arguments: [&str; 2]) -> Self {
        let mut process = Command::new(std::env::current_exe().expect("our own path"))
            .arg("bare")
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .expect("a bare server");
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().expect("its output"));
        output.read_line(&mut line).expect("an address");
        Self { host: line.trim().to_owned(), process }
    }

    /// The process id.
    pub fn pid(&self) -> u32 {
        self.process.id()
    }
}

impl Drop for Reference {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
