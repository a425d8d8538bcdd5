//! A private Postgres: from the installed binaries, in a temporary directory, on a free port. It ends with the process that
//! started it.

use std::{
    fs,
    io::Write,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::OnceLock,
    time::Duration,
};

use sea_orm::{ConnectOptions, ConnectionTrait, Database, DatabaseConnection, Statement};
use uuid::Uuid;

use crate::distributed;

/// The durability of the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disk {
    /// As in production: every commit is flushed.
    Durable,
    /// Nothing is flushed: fast, for tests.
    Careless,
}

/// A running Postgres. It stops when the process that started it ends, for whatever reason.
#[derive(Debug)]
pub struct Postgres {
    /// The port on the loopback address.
    pub port: u16,
    /// Where the binaries are.
    pub binaries: PathBuf,
    directory: PathBuf,
    guard: Child,
}

/// Supervises the server: starts it again for every line on standard input. When standard input closes, it stops the server and
/// removes its directory.
const GUARD: &str = r#"
start() { "$@" >>"$DIR/log" 2>&1 </dev/null & server=$!; }
start "$@"
while read -r _; do
  wait "$server"
  start "$@"
done
kill -INT "$server" 2>/dev/null
wait "$server"
rm -rf "$DIR"
"#;

/// The environment variable with the port of a Postgres that several processes share: `with-postgres` sets it, since a test
/// runner may start a process for every test.
pub const PORT: &str = "TELAR_TEST_POSTGRES_PORT";

/// The URL of a new database in the Postgres that tests share. It is empty, or an empty store; see [`distributed`].
pub async fn new_database() -> String {
    create_database(shared_port()).await
}

/// The URL of a new, empty database in the Postgres that tests share.
pub async fn empty_database() -> String {
    create_from(shared_port(), "template1").await
}

fn shared_port() -> u16 {
    static OWN: OnceLock<Postgres> = OnceLock::new();
    match std::env::var(PORT) {
        Ok(port) => port.parse().expect(PORT),
        Err(_) => OWN.get_or_init(|| Postgres::start(Disk::Careless)).port,
    }
}

async fn create_database(port: u16) -> String {
    let template =
        if distributed::is_default() { distributed_template(port).await } else { "template1" };
    create_from(port, template).await
}

async fn create_from(port: u16, template: &str) -> String {
    let name = format!("telar_{}", Uuid::new_v4().simple());
    let admin = admin(port).await;
    let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
    admin.execute_unprepared(&create).await.expect("a database");
    admin.close().await.ok();
    url(port, &name)
}

async fn admin(port: u16) -> DatabaseConnection {
    Database::connect(url(port, "postgres")).await.expect("the private Postgres")
}

/// The database that all distributed stores are copies of. Many processes may ask for it at once.
async fn distributed_template(port: u16) -> &'static str {
    const TEMPLATE: &str = "telar_distributed";
    // A single connection holds the lock until it is closed.
    let mut single = ConnectOptions::new(url(port, "postgres"));
    single.max_connections(1);
    let lock = Database::connect(single).await.expect("the private Postgres");
    lock.execute_unprepared("SELECT pg_advisory_lock(1)").await.expect("a lock");
    let sql = format!("SELECT 1 FROM pg_database WHERE datname = '{TEMPLATE}'");
    let found = Statement::from_string(lock.get_database_backend(), sql);
    if lock.query_one_raw(found).await.expect("an answer").is_none() {
        let made = create_from(port, "template1").await;
        distributed::prepare(&made).await;
        let made = made.rsplit('/').next().expect("a name");
        let rename = format!("ALTER DATABASE {made} RENAME TO {TEMPLATE}");
        lock.execute_unprepared(&rename).await.expect("a database that nobody uses");
    }
    lock.close().await.ok();
    TEMPLATE
}

fn url(port: u16, database: &str) -> String {
    format!("postgres://telar@127.0.0.1:{port}/{database}")
}

impl Postgres {
    /// Starts a server with the settings of the distribution's package.
    #[must_use]
    pub fn start(disk: Disk) -> Self {
        Self::start_with(disk, &[])
    }

    /// Starts a server with additional settings, as in `shared_buffers=1GB`.
    #[must_use]
    pub fn start_with(disk: Disk, settings: &[&str]) -> Self {
        let home = Home::new();
        let options =
            ["--username=telar", "--auth=trust", "--encoding=UTF8", "--no-sync", "--pgdata"];
        home.make("initdb", &options);
        Self::serve(home, disk, settings)
    }

    /// Starts a server that a standby can follow: a commit reaches the standby before it is acknowledged, or soon after.
    #[must_use]
    pub fn start_primary() -> Self {
        Self::start_with(Disk::Durable, &["fsync=off"])
    }

    /// Starts a streaming standby of this server.
    #[must_use]
    pub fn start_standby(&self) -> Self {
        let home = Home::new();
        let port = format!("--port={}", self.port);
        let from = ["--host=127.0.0.1", &port, "--username=telar", "--write-recovery-conf"];
        let how = ["--checkpoint=fast", "--no-sync", "--pgdata"];
        home.make("pg_basebackup", &[&from[..], &how].concat());
        Self::serve(home, Disk::Durable, &["fsync=off"])
    }

    /// Starts a server on the data in its directory.
    fn serve(home: Home, disk: Disk, settings: &[&str]) -> Self {
        let port = free_port();
        let mut server = home.run("postgres");
        let Home { binaries, directory, .. } = home;
        server.arg("-D").arg(directory.join("data"));
        server.args(["-p", &port.to_string(), "-h", "127.0.0.1"]);
        server.arg("-k").arg(&directory).args(["-c", "max_connections=400"]);
        for setting in settings {
            server.args(["-c", setting]);
        }
        if disk == Disk::Careless {
            for setting in ["fsync=off", "synchronous_commit=off", "full_page_writes=off"] {
                server.args(["-c", setting]);
            }
        }
        let mut guard = Command::new("sh");
        guard.args(["-c", GUARD, "guard"]).arg(server.get_program()).args(server.get_args());
        let guard = guard
            .env("DIR", &directory)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .spawn()
            .expect("a shell");
        let started = Self { port, binaries, directory, guard };
        started.wait_until_ready();
        started
    }

    fn wait_until_ready(&self) {
        let mut ready = Command::new(self.binaries.join("pg_isready"));
        ready.args(["-q", "-h", "127.0.0.1", "-p", &self.port.to_string(), "-t", "1"]);
        let waiting = std::time::Instant::now();
        while !ready.status().expect("pg_isready runs").success() {
            assert!(
                waiting.elapsed().as_secs() < 60,
                "Postgres does not start: {}",
                fs::read_to_string(self.directory.join("log")).unwrap_or_default()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills all of its processes at once, as `kill -9` does. Needs `/proc`.
    pub fn kill(&self) {
        let text = fs::read_to_string(self.directory.join("data/postmaster.pid")).unwrap();
        let root = text.lines().next().expect("a process id");
        let children = fs::read_to_string(format!("/proc/{root}/task/{root}/children")).unwrap();
        let all: Vec<&str> = [root].into_iter().chain(children.split_whitespace()).collect();
        let killed = Command::new("kill").arg("-9").args(&all).stderr(Stdio::null()).status();
        killed.expect("a signal");
        // The next server refuses to start while one of them still holds the shared memory.
        let is_running = |pid: &&str| Path::new("/proc").join(pid).join("exe").exists();
        while all.iter().any(is_running) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Starts it again after it was killed; it recovers from its log first.
    pub fn restart(&mut self) {
        let guard = self.guard.stdin.as_mut().expect("a guard");
        guard.write_all(b"again\n").expect("a guard");
        self.wait_until_ready();
    }

    /// What it has logged so far.
    #[must_use]
    pub fn log(&self) -> String {
        let log = fs::read(self.directory.join("log")).expect("a log");
        String::from_utf8_lossy(&log).into_owned()
    }

    /// The id of the server's root process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.guard.id()
    }

    /// The URL of a database.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        url(self.port, database)
    }

    /// A new, empty database.
    pub async fn create_database(&self) -> String {
        create_database(self.port).await
    }

    /// A new, empty database whose tables are in this directory.
    pub async fn create_database_in(&self, directory: &Path) -> String {
        unprivileged(directory);
        let database = create_database(self.port).await;
        let name = database.rsplit('/').next().expect("a name");
        let admin = Database::connect(self.url("postgres")).await.expect("the private Postgres");
        let create = format!("CREATE TABLESPACE {name} LOCATION '{}'", directory.display());
        admin.execute_unprepared(&create).await.expect("a tablespace");
        let moved = format!("ALTER DATABASE {name} SET TABLESPACE {name}");
        admin.execute_unprepared(&moved).await.expect("a database without connections");
        admin.close().await.ok();
        database
    }

    /// Removes such a database, and Postgres needs its directory no longer.
    pub async fn drop_database_in(&self, url: &str) {
        let name = url.rsplit('/').next().expect("a name");
        let admin = Database::connect(self.url("postgres")).await.expect("the private Postgres");
        for drop in ["DATABASE", "TABLESPACE"] {
            let force = if drop == "DATABASE" { " WITH (FORCE)" } else { "" };
            let drop = format!("DROP {drop} {name}{force}");
            admin.execute_unprepared(&drop).await.expect("it exists");
        }
        admin.close().await.ok();
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.guard.stdin.take());
        self.guard.wait().ok();
    }
}

/// The directory of a server that does not run yet.
struct Home {
    binaries: PathBuf,
    directory: PathBuf,
    /// Whom the directory belongs to, unless that is us.
    user: Option<String>,
}

impl Home {
    fn new() -> Self {
        let binaries = binaries().expect(
            "Postgres is not installed: neither on PATH nor in /usr/lib/postgresql; `make postgres` installs it",
        );
        let directory = tempfile::Builder::new().prefix("telar-pg-").tempdir().unwrap().keep();
        let user = unprivileged(&directory);
        Self { binaries, directory, user }
    }

    /// A program of Postgres, run by the owner of the directory.
    fn run(&self, program: &str) -> Command {
        let program = self.binaries.join(program);
        let mut command = match &self.user {
            Some(user) => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid", user, "--regid", user, "--clear-groups"]);
                command.arg(program);
                command
            }
            None => Command::new(program),
        };
        command.env("LC_ALL", "C.UTF-8").current_dir(&self.directory);
        command
    }

    /// Lets a program make the data; its last option is the one that takes their directory.
    fn make(&self, program: &str, options: &[&str]) {
        let made = self.run(program).args(options).arg(self.directory.join("data")).output();
        let made = made.unwrap_or_else(|error| panic!("{program}: {error}"));
        assert!(made.status.success(), "{program}: {}", String::from_utf8_lossy(&made.stderr));
    }
}

/// The directory of `initdb` and the other binaries: on `PATH`, or where the distribution installs them.
fn binaries() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let on_path = std::env::split_paths(&path).collect::<Vec<_>>();
    let mut kept: Vec<PathBuf> = fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .collect();
    kept.sort();
    let is_complete = |folder: &PathBuf| {
        ["initdb", "postgres", "pg_isready"].iter().all(|program| folder.join(program).exists())
    };
    on_path.into_iter().chain(kept.into_iter().rev()).find(is_complete)
}

/// Postgres refuses to run as root, so the directory is given to another user.
fn unprivileged(directory: &Path) -> Option<String> {
    let id = |args: &[&str]| {
        let output = Command::new("id").args(args).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    if id(&["-u"]).as_deref() != Some("0") {
        return None;
    }
    let user = id(&["-u", "postgres"]).or_else(|| id(&["-u", "nobody"])).expect("a user");
    let group = id(&["-g", "postgres"]).or_else(|| id(&["-g", "nobody"])).expect("a group");
    let owner = format!("{user}:{group}");
    let given = Command::new("chown").arg(owner).arg(directory).status();
    assert!(given.is_ok_and(|status| status.success()), "chown of the data directory");
    Some(user)
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}
