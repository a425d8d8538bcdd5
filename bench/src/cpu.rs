//! How much of the processors each party has used: what is left when machines are noisy.

use std::fs;

/// Linux counts in hundredths of a second.
const TICK: f64 = 0.01;

/// Seconds that a process has used, its ended children included; 0 where there is no `/proc`.
pub fn of(pid: u32) -> f64 {
    times(pid).map_or(0.0, |times| times.seconds)
}

/// Seconds that all descendants of a process have used, itself included.
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
    // The name in parentheses may hold anything.
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u32 = fields.get(11..15)?.iter().filter_map(|field| field.parse::<u32>().ok()).sum();
    Some(Times { parent: fields.get(1)?.parse().ok()?, seconds: f64::from(ticks) * TICK })
}
