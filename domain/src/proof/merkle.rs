//! An append-only Merkle tree as in RFC 6962, whose nodes are kept elsewhere. Only complete subtrees are kept: they never change.
//! Every root and every proof is made of about as many of them as the number of leaves has binary digits.

use sha2::{Digest, Sha256};

/// A hash in the tree.
pub type Hash = [u8; 32];

/// A complete subtree: `2^level` leaves, beginning with leaf `index · 2^level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    /// Its height; leaves have level 0.
    pub level: u8,
    /// Its number among those of its level, from the left.
    pub index: u64,
}

/// Consecutive leaves that form a subtree, complete or at the right edge of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    start: u64,
    end: u64,
}

/// The hash of a leaf.
#[must_use]
pub fn leaf(entry: &[u8]) -> Hash {
    Sha256::new().chain_update([0]).chain_update(entry).finalize().into()
}

/// The hash of two subtrees.
fn parent(left: &Hash, right: &Hash) -> Hash {
    Sha256::new().chain_update([1]).chain_update(left).chain_update(right).finalize().into()
}

impl Span {
    /// The whole tree with this many leaves.
    #[must_use]
    pub const fn tree(size: u64) -> Self {
        Self { start: 0, end: size }
    }

    /// The complete subtrees that the span consists of, from the left; each is smaller than the one before.
    #[must_use]
    pub fn nodes(self) -> Vec<Node> {
        let mut start = self.start;
        let mut nodes = Vec::new();
        while start < self.end {
            let level = (self.end - start).ilog2();
            nodes.push(Node {
                level: u8::try_from(level).expect("less than 64"),
                index: start >> level,
            });
            start += 1 << level;
        }
        nodes
    }

    /// The hash of the span, from those of its nodes.
    #[must_use]
    pub fn hash(nodes: &[Hash]) -> Hash {
        match nodes.split_last() {
            Some((last, others)) => others.iter().rfold(*last, |right, left| parent(left, &right)),
            None => Sha256::digest([]).into(),
        }
    }
}

/// The right edge of a tree: enough to append leaves and to know the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    size: u64,
    /// The hashes of the complete subtrees that the tree consists of, from the left.
    peaks: Vec<Hash>,
}

impl Edge {
    /// The edge of a tree, from the hashes of the nodes of [`Span::tree`]; nothing if their number is wrong.
    #[must_use]
    pub fn new(size: u64, peaks: Vec<Hash>) -> Option<Self> {
        (peaks.len() == size.count_ones() as usize).then_some(Self { size, peaks })
    }

    /// The number of leaves.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The root of the tree.
    #[must_use]
    pub fn root(&self) -> Hash {
        Span::hash(&self.peaks)
    }

    /// Appends a leaf and returns the nodes that become complete with it.
    pub fn append(&mut self, leaf: Hash) -> Vec<(Node, Hash)> {
        let mut node = Node { level: 0, index: self.size };
        let mut hash = leaf;
        let mut completed = vec![(node, hash)];
        while node.index % 2 == 1 {
            let left = self.peaks.pop().expect("a right child has a left sibling");
            hash = parent(&left, &hash);
            node = Node { level: node.level + 1, index: node.index / 2 };
            completed.push((node, hash));
        }
        self.peaks.push(hash);
        self.size += 1;
        completed
    }
}

/// The subtrees whose hashes prove that a leaf is in a tree, from the bottom (RFC 6962, 2.1.1); nothing if it is not.
#[must_use]
pub fn inclusion(index: u64, size: u64) -> Option<Vec<Span>> {
    if index >= size {
        return None;
    }
    let (mut start, mut end) = (0, size);
    let mut path = Vec::new();
    while end - start > 1 {
        let middle = start + split(end - start);
        if index < middle {
            path.push(Span { start: middle, end });
            end = middle;
        } else {
            path.push(Span { start, end: middle });
            start = middle;
        }
    }
    path.reverse();
    Some(path)
}

/// The subtrees whose hashes prove that a tree of `second` leaves continues one of `first` leaves (RFC 6962, 2.1.2); nothing if
/// it cannot.
#[must_use]
pub fn consistency(first: u64, second: u64) -> Option<Vec<Span>> {
    if first > second {
        return None;
    }
    let (mut start, mut end) = (0, second);
    let mut path = Vec::new();
    if first == 0 || first == second {
        return Some(path);
    }
    while end != first {
        let middle = start + split(end - start);
        if first <= middle {
            path.push(Span { start: middle, end });
            end = middle;
        } else {
            path.push(Span { start, end: middle });
            start = middle;
        }
    }
    // The verifier knows the first tree already.
    if start > 0 {
        path.push(Span { start, end });
    }
    path.reverse();
    Some(path)
}

/// The number of leaves on the left of a tree with more than one: the largest power of two below their number.
const fn split(size: u64) -> u64 {
    1 << (size - 1).ilog2()
}

/// Whether a leaf is in the tree with this root, as a path proves (RFC 9162, 2.1.3.2).
#[must_use]
pub fn includes(root: &Hash, size: u64, index: u64, leaf: &Hash, path: &[Hash]) -> bool {
    if index >= size {
        return false;
    }
    let (mut node, mut last, mut hash) = (index, size - 1, *leaf);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            hash = parent(sibling, &hash);
            while node.is_multiple_of(2) && node != 0 {
                node /= 2;
                last /= 2;
            }
        } else {
            hash = parent(&hash, sibling);
        }
        node /= 2;
        last /= 2;
    }
    last == 0 && hash == *root
}

/// Whether the second tree continues the first, as a path proves (RFC 9162, 2.1.4.2).
#[must_use]
pub fn continues(first: (u64, &Hash), second: (u64, &Hash), path: &[Hash]) -> bool {
    let ((first_size, first_root), (second_size, second_root)) = (first, second);
    if first_size == 0 {
        return path.is_empty() && *first_root == Span::hash(&[]);
    }
    if first_size >= second_size {
        return first_size == second_size && path.is_empty() && first_root == second_root;
    }
    let mut path = path.iter();
    // A complete first tree is a subtree of the second, and left out of the path.
    let begin = if first_size.is_power_of_two() { Some(first_root) } else { path.next() };
    let Some(begin) = begin else { return false };
    let zeros = (first_size - 1).trailing_ones();
    let (mut node, mut last) = ((first_size - 1) >> zeros, (second_size - 1) >> zeros);
    let (mut older, mut newer) = (*begin, *begin);
    for sibling in path {
        if last == 0 {
            return false;
        }
        if node % 2 == 1 || node == last {
            older = parent(sibling, &older);
            newer = parent(sibling, &newer);
            while node.is_multiple_of(2) && node != 0 {
                node /= 2;
                last /= 2;
            }
        } else {
            newer = parent(&newer, sibling);
        }
        node /= 2;
        last /= 2;
    }
    last == 0 && older == *first_root && newer == *second_root
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    /// The entries of the test vectors that implementations of Certificate Transparency share.
    const ENTRIES: [&str; 8] = [
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    ];
    /// The roots of the trees of one entry, of two, and so on.
    const ROOTS: [&str; 8] = [
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
        "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
        "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
        "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
        "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
    ];

    /// The definitions of RFC 6962 over a list of leaves, word for word.
    mod definition {
        use super::{Hash, Span, parent, split};

        pub(super) fn tree_hash(leaves: &[Hash]) -> Hash {
            match leaves {
                [] => Span::hash(&[]),
                [leaf] => *leaf,
                _ => {
                    let (left, right) = leaves.split_at(middle(leaves));
                    parent(&tree_hash(left), &tree_hash(right))
                }
            }
        }

        pub(super) fn path(index: usize, leaves: &[Hash]) -> Vec<Hash> {
            if leaves.len() == 1 {
                return Vec::new();
            }
            let (left, right) = leaves.split_at(middle(leaves));
            let (mut path, sibling) = if index < left.len() {
                (path(index, left), tree_hash(right))
            } else {
                (path(index - left.len(), right), tree_hash(left))
            };
            path.push(sibling);
            path
        }

        pub(super) fn subproof(first: usize, leaves: &[Hash], is_known: bool) -> Vec<Hash> {
            if first == leaves.len() {
                return if is_known { Vec::new() } else { vec![tree_hash(leaves)] };
            }
            let (left, right) = leaves.split_at(middle(leaves));
            let (mut path, sibling) = if first <= left.len() {
                (subproof(first, left, is_known), tree_hash(right))
            } else {
                (subproof(first - left.len(), right, false), tree_hash(left))
            };
            path.push(sibling);
            path
        }

        fn middle(leaves: &[Hash]) -> usize {
            usize::try_from(split(leaves.len() as u64)).unwrap()
        }
    }

    /// A tree that keeps its nodes in memory.
    struct Tree {
        edge: Edge,
        nodes: HashMap<Node, Hash>,
    }

    impl Tree {
        fn of(leaves: &[Hash]) -> Self {
            let mut tree = Self { edge: Edge::new(0, Vec::new()).unwrap(), nodes: HashMap::new() };
            for leaf in leaves {
                for (node, hash) in tree.edge.append(*leaf) {
                    assert_eq!(tree.nodes.insert(node, hash), None, "a node is written once");
                }
            }
            tree
        }

        fn hash(&self, span: Span) -> Hash {
            let nodes: Vec<Hash> = span.nodes().iter().map(|node| self.nodes[node]).collect();
            Span::hash(&nodes)
        }

        fn hashes(&self, path: Vec<Span>) -> Vec<Hash> {
            path.into_iter().map(|span| self.hash(span)).collect()
        }
    }

    fn leaves(count: u64) -> Vec<Hash> {
        (0..count).map(|number| leaf(&number.to_be_bytes())).collect()
    }

    #[test]
    fn roots_are_those_of_the_shared_test_vectors() {
        let leaves: Vec<Hash> =
            ENTRIES.iter().map(|entry| leaf(&hex::decode(entry).unwrap())).collect();
        for (size, root) in (1..).zip(ROOTS) {
            assert_eq!(hex::encode(Tree::of(&leaves[..size]).edge.root()), root);
        }
        let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(hex::encode(Tree::of(&[]).edge.root()), empty);
    }

    #[test]
    fn roots_and_paths_are_those_that_the_definition_gives() {
        let leaves = leaves(70);
        let tree = Tree::of(&leaves);
        for second in 1..=leaves.len() {
            let size = second as u64;
            let now = &leaves[..second];
            let root = definition::tree_hash(now);
            assert_eq!(tree.hash(Span::tree(size)), root);
            for (index, leaf) in now.iter().enumerate() {
                let path = tree.hashes(inclusion(index as u64, size).unwrap());
                assert_eq!(path, definition::path(index, now), "{index} in {size}");
                assert!(includes(&root, size, index as u64, leaf, &path));
            }
            for first in 1..=second {
                let path = tree.hashes(consistency(first as u64, size).unwrap());
                assert_eq!(path, definition::subproof(first, now, true), "{first} to {size}");
                let before = definition::tree_hash(&leaves[..first]);
                assert!(continues((first as u64, &before), (size, &root), &path));
            }
        }
        assert_eq!(inclusion(5, 5), None);
        assert_eq!(consistency(6, 5), None);
    }

    #[test]
    fn a_changed_leaf_root_size_or_path_is_detected() {
        let leaves = leaves(21);
        let tree = Tree::of(&leaves);
        let root = tree.edge.root();
        for index in 0..21 {
            let path = tree.hashes(inclusion(index, 21).unwrap());
            let own = &leaves[usize::try_from(index).unwrap()];
            assert!(!includes(&root, 21, index, &leaf(b"another"), &path));
            assert!(!includes(&leaf(b"another"), 21, index, own, &path));
            assert!(!includes(&root, 21, (index + 1) % 21, own, &path));
            assert!(!includes(&root, 21, 21, own, &path));
            for at in 0..path.len() {
                let mut changed = path.clone();
                changed[at][7] ^= 1;
                assert!(!includes(&root, 21, index, own, &changed));
                changed.remove(at);
                assert!(!includes(&root, 21, index, own, &changed));
            }
            assert!(!includes(&root, 21, index, own, &[path.as_slice(), &[root]].concat()));
        }
        for first in 1..21 {
            let before = tree.hash(Span::tree(first));
            let path = tree.hashes(consistency(first, 21).unwrap());
            let other = leaf(b"another");
            assert!(!continues((first, &other), (21, &root), &path));
            assert!(!continues((first, &before), (21, &other), &path));
            assert!(!continues((21, &root), (first, &before), &path));
            for at in 0..path.len() {
                let mut changed = path.clone();
                changed[at][7] ^= 1;
                assert!(!continues((first, &before), (21, &root), &changed));
                changed.remove(at);
                assert!(!continues((first, &before), (21, &root), &changed));
            }
            let longer = [path.as_slice(), &[root]].concat();
            assert!(!continues((first, &before), (21, &root), &longer));
        }
    }

    #[test]
    fn huge_sizes_are_answered_without_overflow() {
        let size = u64::MAX;
        assert_eq!(Span::tree(size).nodes().len(), 64);
        assert!(inclusion(size - 1, size).is_some_and(|path| path.len() <= 64));
        assert!(consistency(size / 2, size).is_some_and(|path| path.len() <= 65));
        assert!(!includes(&[0; 32], size, size - 1, &[0; 32], &[[0; 32]; 70]));
        assert!(!continues((size - 1, &[0; 32]), (size, &[0; 32]), &[[0; 32]; 70]));
    }

    #[test]
    fn an_edge_needs_as_many_hashes_as_it_has_subtrees() {
        let tree = Tree::of(&leaves(11));
        let peaks: Vec<Hash> = Span::tree(11).nodes().iter().map(|node| tree.nodes[node]).collect();
        assert_eq!(Edge::new(11, peaks.clone()), Some(tree.edge));
        assert_eq!(Edge::new(12, peaks), None);
    }
}
