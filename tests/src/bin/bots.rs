//! Plays a whole match of every game with a bot of `examples/`, against a server of its own: `bots node bot.js`.
#![expect(clippy::unwrap_used, reason = "a test that cannot be carried out has failed")]

use std::{
    env,
    io::{BufRead, BufReader, Lines},
    process::{Child, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use domain::{game::GameInfo, games};
use tests::{
    client::Client,
    server::{Server, Store},
};
use tokio::task::spawn_blocking;

/// A match takes seconds; a bot that needs longer is stuck.
const PATIENCE: Duration = Duration::from_mins(5);

#[actix_web::main]
async fn main() {
    let command: Vec<String> = env::args().skip(1).collect();
    assert!(!command.is_empty(), "which bot? For example: bots node bot.js");
    let server = Server::start(Store::Sqlite).await;
    // All games at once, because bots mostly wait for one another.
    let matches: Vec<_> = games::all()
        .map(|game| actix_web::rt::spawn(play(command.clone(), game.info(), server.url.clone())))
        .collect();
    for played in matches {
        println!("{}", played.await.unwrap());
    }
    server.stop().await;
}

/// Plays a match to its end and returns a summary.
async fn play(command: Vec<String>, game: &'static GameInfo, url: String) -> String {
    let begin = Instant::now();
    let mut first = Bot::start(&command, &[game.key], &url);
    let id = first.opened().await;
    let others = (1..game.min_seats).map(|_| Bot::start(&command, &[game.key, &id], &url));
    let mut bots: Vec<Bot> = [first].into_iter().chain(others).collect();
    let mut results = Vec::new();
    for bot in &mut bots {
        results.push(bot.result().await);
    }

    let played = Client::anonymous(&url).get(&format!("/v1/matches/{id}")).await.expect(200);
    assert_eq!(played["status"], "finished", "{}", game.key);
    assert_eq!(played["outcome"]["ending"], "rules", "{}", game.key);
    // All bots print the same result, one line per seat, and mark their own seat.
    for (seat, result) in results.iter().enumerate() {
        assert_eq!(result.len(), usize::from(game.min_seats), "{}: {result:?}", game.key);
        let mine = result.iter().position(|line| line.contains("(me)"));
        assert_eq!(mine, Some(seat), "{}: {result:?}", game.key);
        let neutral = |lines: &[String]| lines.join(", ").replace(" (me)", "");
        assert_eq!(neutral(result), neutral(&results[0]), "{}", game.key);
    }
    let seconds = begin.elapsed().as_secs_f64();
    format!("{}: {} events in {seconds:.1} s", game.key, played["version"])
}

/// A bot as a separate process, killed on drop.
struct Bot {
    process: Child,
    output: Option<Lines<BufReader<ChildStdout>>>,
}

impl Bot {
    fn start(command: &[String], arguments: &[&str], url: &str) -> Self {
        let mut process = Command::new(&command[0])
            .args(&command[1..])
            .args(arguments)
            .env("TELAR_URL", url)
            .env("NO_PROXY", "127.0.0.1")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", command[0]));
        let output = BufReader::new(process.stdout.take().unwrap()).lines();
        Self { process, output: Some(output) }
    }

    /// The match that it created.
    async fn opened(&mut self) -> String {
        let line = self.read(|output| output.next().transpose().unwrap()).await;
        let line = line.expect("a bot says which match it plays");
        line.strip_prefix("match ").unwrap_or_else(|| panic!("{line}")).to_owned()
    }

    /// The result that it prints for each seat.
    async fn result(&mut self) -> Vec<String> {
        let lines = self.read(|output| output.map(Result::unwrap).collect::<Vec<_>>()).await;
        assert!(self.process.wait().unwrap().success(), "a bot has failed: {lines:?}");
        lines.into_iter().filter(|line| line.starts_with("seat ")).collect()
    }

    async fn read<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut Lines<BufReader<ChildStdout>>) -> T + Send + 'static,
    ) -> T {
        let mut output = self.output.take().unwrap();
        let reading = spawn_blocking(move || {
            let read = read(&mut output);
            (read, output)
        });
        let (read, output) =
            tokio::time::timeout(PATIENCE, reading).await.expect("it ends").unwrap();
        self.output = Some(output);
        read
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
