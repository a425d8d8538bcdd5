use std::{net::Ipv4Addr, sync::mpsc};

use futures_util::FutureExt;

use super::*;

const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 2));

fn bulkhead(limits: BulkheadLimits) -> Arc<Bulkhead> {
    Bulkhead::new("test", limits, Arc::new(Threads::new(limits.at_once)))
}

const LIMITS: BulkheadLimits = BulkheadLimits {
    at_once: 2,
    each: 1,
    queue: 8,
    queue_each: 2,
    patience: Duration::from_secs(30),
};

#[tokio::test]
async fn a_client_that_asks_for_much_is_refused_while_another_one_gets_its_turn() {
    let bulkhead = bulkhead(LIMITS);
    let turn = bulkhead.enter(HERE).await.expect("a turn");
    let waiting = [0, 1].map(|_| {
        let bulkhead = Arc::clone(&bulkhead);
        tokio::spawn(async move { bulkhead.enter(HERE).await.map(drop) })
    });
    while bulkhead.queue.lock().waiting() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(bulkhead.enter(HERE).await.unwrap_err(), Busy::Client);
    drop(bulkhead.enter(ELSEWHERE).await.expect("a turn of its own"));
    drop(turn);
    for waiting in waiting {
        waiting.await.expect("a task").expect("a turn");
    }
}

#[tokio::test]
async fn nobody_waits_for_ever() {
    let bulkhead = bulkhead(BulkheadLimits { patience: Duration::from_millis(1), ..LIMITS });
    let _turn = bulkhead.enter(HERE).await.expect("a turn");
    assert_eq!(bulkhead.enter(HERE).await.unwrap_err(), Busy::Server);
    assert_eq!(bulkhead.queue.lock().waiting(), 1, "found to be gone when it would be next");
}

#[tokio::test]
async fn those_who_give_up_leave_their_turn_to_others() {
    let bulkhead = bulkhead(BulkheadLimits { at_once: 1, ..LIMITS });
    let turn = bulkhead.enter(HERE).await.expect("a turn");
    {
        let mut impatient = std::pin::pin!(bulkhead.enter(HERE));
        assert!(impatient.as_mut().now_or_never().is_none());
    }
    let mut patient = std::pin::pin!(bulkhead.enter(ELSEWHERE));
    assert!(patient.as_mut().now_or_never().is_none());
    drop(turn);
    let turn = patient.await.expect("a turn");
    // A turn that was given to somebody who gives up before noticing is given on.
    let mut impatient = Box::pin(bulkhead.enter(HERE));
    assert!((&mut impatient).now_or_never().is_none());
    drop(turn);
    drop(impatient);
    bulkhead.enter(ELSEWHERE).await.expect("a turn");
}

#[tokio::test]
async fn a_turn_lasts_as_long_as_its_work_even_if_nobody_waits_for_it() {
    let bulkhead =
        bulkhead(BulkheadLimits { at_once: 1, patience: Duration::from_millis(1), ..LIMITS });
    let turn = bulkhead.enter(HERE).await.expect("a turn");
    let (finish, finished) = mpsc::channel::<()>();
    {
        let mut work = std::pin::pin!(turn.work(move || finished.recv()));
        assert!(work.as_mut().now_or_never().is_none());
    }
    drop(turn);
    assert_eq!(bulkhead.enter(ELSEWHERE).await.unwrap_err(), Busy::Server, "it still works");
    finish.send(()).expect("the work goes on");
    while bulkhead.enter(ELSEWHERE).await.is_err() {}
}

#[tokio::test]
async fn work_that_panics_ends_its_turn() {
    let bulkhead = bulkhead(LIMITS);
    let turn = bulkhead.enter(HERE).await.expect("a turn");
    let result = turn.work(|| panic!("on purpose")).await;
    assert_eq!(result, Err::<(), _>(Stopped));
    drop(turn);
    assert_eq!(bulkhead.enter(HERE).await.expect("a turn").work(|| 7).await, Ok(7));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn work_gives_way_to_the_threads_that_serve_requests() {
    fn nice() -> i32 {
        rustix::process::getpriority_process(None).expect("a priority")
    }
    let bulkhead = bulkhead(LIMITS);
    let turn = bulkhead.enter(HERE).await.expect("a turn");
    let of_work = turn.work(nice).await.expect("a priority");
    assert!(of_work > nice(), "{of_work}");
}
