//! A proxy on the way to a replica: what others send it over their links goes through there.

use std::net::SocketAddr;

use sea_orm::{ConnectionTrait, Database, Statement};

use crate::{
    eventually::{PATIENCE, eventually},
    proxy::Proxy,
};

/// Puts a proxy in front of the only replica on a database. Replicas that start afterwards reach it through the proxy.
pub async fn before_the_replica(database_url: &str) -> Proxy {
    let db = Database::connect(database_url).await.expect("the database");
    let sql = "SELECT address FROM replicas";
    let direct: SocketAddr = eventually("the replica announces itself", PATIENCE, async || {
        let statement = Statement::from_string(db.get_database_backend(), sql);
        let row = db.query_one_raw(statement).await.expect("an answer")?;
        row.try_get::<String>("", "address").expect("an address").parse().ok()
    })
    .await;
    let proxy = Proxy::start(direct).await;
    let detour = format!("UPDATE replicas SET address = '{}'", proxy.address());
    db.execute_unprepared(&detour).await.expect("an update");
    db.close().await.expect("the database");
    proxy
}
