//! The latest commits of a match that another replica sends commands to. They say what happened since the version that it knows, and
//! whether a command that it sends was executed since then.

use std::collections::VecDeque;

use domain::matches::Commit;

/// The most commits that are kept, and about how many bytes they may take. A replica that knows less reads the log.
const COMMITS: usize = 16;
const BYTES: usize = 6 * 1_024;

/// The latest commits, without a gap.
#[derive(Debug)]
pub(super) struct Recent {
    /// The version before the first of them.
    start: u64,
    commits: VecDeque<Commit>,
    bytes: usize,
}

impl Recent {
    /// No commits yet, of a match at this version.
    pub(super) const fn new(version: u64) -> Self {
        Self { start: version, commits: VecDeque::new(), bytes: 0 }
    }

    /// The version after the last commit.
    fn end(&self) -> u64 {
        self.commits.back().map_or(self.start, Commit::version)
    }

    /// Adds the commits that lead to a version. If one of them is missing, all are forgotten.
    pub(super) fn extend(&mut self, commits: &[Commit], version: u64) {
        for commit in commits {
            if commit.seq == self.end() {
                self.bytes += weight(commit);
                self.commits.push_back(commit.clone());
            }
        }
        if self.end() != version {
            *self = Self::new(version);
        }
        while self.commits.len() > COMMITS || self.bytes > BYTES {
            let Some(oldest) = self.commits.pop_front() else { break };
            self.start = oldest.version();
            self.bytes -= weight(&oldest);
        }
    }

    /// The commits from a version on; nothing if older ones were forgotten.
    pub(super) fn since(&self, version: u64) -> Option<impl Iterator<Item = &Commit>> {
        let newer = self.commits.iter().filter(move |commit| commit.seq >= version);
        (self.start <= version).then_some(newer)
    }

    /// About how many bytes this takes.
    pub(super) const fn weight(&self) -> usize {
        size_of::<Self>() + self.bytes
    }
}

fn weight(commit: &Commit) -> usize {
    size_of::<Commit>() + commit.payload.len()
}

#[cfg(test)]
mod tests {
    use domain::time::Timestamp;
    use uuid::Uuid;

    use super::*;

    fn commit(seq: u64, count: u32, length: usize) -> Commit {
        Commit {
            match_id: Uuid::nil(),
            seq,
            count,
            at: Timestamp::from_micros(0),
            player: Uuid::nil(),
            command_id: Uuid::nil(),
            payload: "x".repeat(length),
            hash: [0; 32],
        }
    }

    fn seqs(recent: &Recent, since: u64) -> Option<Vec<u64>> {
        recent.since(since).map(|commits| commits.map(|commit| commit.seq).collect())
    }

    #[test]
    fn the_latest_commits_are_kept_without_a_gap() {
        let mut recent = Recent::new(5);
        assert_eq!((seqs(&recent, 4), seqs(&recent, 5)), (None, Some(vec![])));
        recent.extend(&[commit(5, 2, 9), commit(7, 1, 9)], 8);
        assert_eq!(seqs(&recent, 5), Some(vec![5, 7]));
        assert_eq!(seqs(&recent, 7), Some(vec![7]));
        // What is known already is not added again.
        recent.extend(&[commit(7, 1, 9), commit(8, 1, 9)], 9);
        assert_eq!(seqs(&recent, 5), Some(vec![5, 7, 8]));
        recent.extend(&[commit(10, 1, 9)], 11);
        assert_eq!((seqs(&recent, 10), seqs(&recent, 11)), (None, Some(vec![])), "9 is missing");
        recent.extend(&[], 12);
        assert_eq!((seqs(&recent, 11), seqs(&recent, 12)), (None, Some(vec![])));
    }

    #[test]
    fn no_more_is_kept_than_fits() {
        let mut recent = Recent::new(0);
        for seq in 0..40 {
            recent.extend(&[commit(seq, 1, 10)], seq + 1);
        }
        assert_eq!(seqs(&recent, 23), None);
        assert_eq!(seqs(&recent, 24).map(|kept| kept.len()), Some(COMMITS));
        recent.extend(&[commit(40, 1, BYTES)], 41);
        assert_eq!((seqs(&recent, 40), seqs(&recent, 41)), (None, Some(vec![])));
        assert_eq!(recent.bytes, 0);
    }
}
