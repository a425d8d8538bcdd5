//! Processor time of each process, which is comparable even on noisy machines.

use std::fs;

/// Linux counts in ticks of 10 ms.
const TICK: f64 = 0.01;

/// Seconds used by a process, including its finished children; 0 if there is no `/proc`.
pub fn of(pid: u32) -> f64 {
    times(pid).map_or(0.0, |times| times.seconds)
}

/// Seconds used by a process and all of its descendants.
pub fn of_family(root: u32) -> f64 {
    let all: Vec<(u32, Times)> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .filter_map(|pid| Some((pid, times(pid)?)))
        .collect();
    let mut family = vec![root];
    let mut seconds = 0.0;
    while let Some(member) = family.pop() {
        for (pid, times) in &all {
            if *pid == member {
                seconds += times.seconds;
            } else if times.parent == member {
                family.push(*pid);
            }
        }
    }
    seconds
}

struct Times {
    parent: u32,
    seconds: f64,
}

fn times(pid: u32) -> Option<Times> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may contain anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u32 = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u32>().ok()).sum();
    Some(Times { parent: fields.get(1)?.parse().ok()?, seconds: f64::from(ticks) * TICK })
}
