//! What makes a connection a link: both ends prove that they have the key of the store, and everything after that is encrypted.
//!
//! The end that connects sends the id of its key and a nonce, the other one answers with a nonce. From the key and both nonces each
//! end derives one key per direction (HKDF), so no byte of one connection can be replayed in another one or sent back to where it
//! came from. A record is its length and a text sealed by ChaCha20-Poly1305, numbered by a counter that is never sent. The first
//! record in each direction says who is speaking. An end without the key cannot make one, and nothing else of it is looked at.

use std::io;

use ring::{
    aead::{
        Aad, BoundKey, CHACHA20_POLY1305, NONCE_LEN, Nonce, NonceSequence, OpeningKey, SealingKey,
        UnboundKey,
    },
    error::Unspecified,
    hkdf,
};
use store::LinkKey;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
};
use uuid::Uuid;

use crate::secret;

/// How a connection begins: the protocol and its version.
const MAGIC: &[u8; 8] = b"telarln1";
const NONCE: usize = 32;
/// The largest record.
pub(super) const RECORD: usize = 16 * 1024 * 1024;
/// The largest record of an end that has not proved itself: two ids and the seal.
const HELLO: usize = 2 * 16 + 16;
/// The length in front of a record.
const LENGTH: usize = 4;

/// A link: each direction by itself.
#[derive(Debug)]
pub(super) struct Link {
    /// The replica at the other end.
    pub(super) peer: Uuid,
    pub(super) reader: RecordReader,
    pub(super) writer: RecordWriter,
}

/// Reads records.
#[derive(Debug)]
pub(super) struct RecordReader {
    socket: OwnedReadHalf,
    key: OpeningKey<Counter>,
    /// What was read: `taken` bytes of it belong to records that were returned.
    buffer: Vec<u8>,
    taken: usize,
    /// The largest record.
    limit: usize,
}

/// Writes records.
#[derive(Debug)]
pub(super) struct RecordWriter {
    socket: OwnedWriteHalf,
    key: SealingKey<Counter>,
    record: Vec<u8>,
}

/// Makes a link of a connection to the replica `there`.
pub(super) async fn connect(
    socket: TcpStream,
    key: &LinkKey,
    here: Uuid,
    there: Uuid,
) -> io::Result<Link> {
    let (mut reading, mut writing) = split(socket)?;
    let ours = secret::bytes::<NONCE>();
    writing.write_all(&[MAGIC.as_slice(), &key.id, &ours].concat()).await?;
    let mut theirs = [0; NONCE];
    reading.read_exact(&mut theirs).await?;
    let (outward, inward) = derive(key, &ours, &theirs);
    let mut writer = RecordWriter::new(writing, outward);
    let mut reader = RecordReader::new(reading, inward);
    writer.write(&[here.as_bytes().as_slice(), there.as_bytes()].concat()).await?;
    let peer = reader.next().await?;
    if peer != *there.as_bytes() {
        return Err(refused("another replica answers"));
    }
    Ok(Link { peer: there, reader, writer })
}

/// Makes a link of a connection from a replica that has one of these keys.
pub(super) async fn accept(socket: TcpStream, keys: &[LinkKey], here: Uuid) -> io::Result<Link> {
    let (mut reading, mut writing) = split(socket)?;
    let mut magic = [0; MAGIC.len()];
    reading.read_exact(&mut magic).await?;
    if magic != *MAGIC {
        return Err(refused("it speaks another protocol"));
    }
    let mut id = [0; 8];
    reading.read_exact(&mut id).await?;
    let key = keys.iter().find(|key| key.id == id).ok_or_else(|| refused("its key is unknown"))?;
    let mut theirs = [0; NONCE];
    reading.read_exact(&mut theirs).await?;
    let ours = secret::bytes::<NONCE>();
    writing.write_all(&ours).await?;
    let (inward, outward) = derive(key, &theirs, &ours);
    let mut reader = RecordReader::new(reading, inward);
    let hello = reader.next().await?;
    let (from, to) = hello.split_at_checked(16).ok_or_else(|| refused("it names nobody"))?;
    let peer = Uuid::from_slice(from).map_err(|_| refused("it names nobody"))?;
    if to != here.as_bytes() {
        return Err(refused("it looks for another replica"));
    }
    let mut writer = RecordWriter::new(writing, outward);
    writer.write(here.as_bytes()).await?;
    Ok(Link { peer, reader, writer })
}

fn split(socket: TcpStream) -> io::Result<(OwnedReadHalf, OwnedWriteHalf)> {
    // Records are as large as they can be already.
    socket.set_nodelay(true)?;
    Ok(socket.into_split())
}

fn refused(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::PermissionDenied, why)
}

/// The keys of both directions: from the end that connected, and to it.
fn derive(key: &LinkKey, connecting: &[u8], accepting: &[u8]) -> (UnboundKey, UnboundKey) {
    let salt = hkdf::Salt::new(hkdf::HKDF_SHA256, &[connecting, accepting].concat());
    let secret = salt.extract(&key.secret);
    let direction = |name: &[u8]| {
        let okm = [name];
        UnboundKey::from(secret.expand(&okm, &CHACHA20_POLY1305).expect("a short key"))
    };
    (direction(b"from the connecting end"), direction(b"from the accepting end"))
}

/// Numbers records. Every key is used for one direction of one connection.
#[derive(Debug)]
struct Counter(u64);

impl NonceSequence for Counter {
    fn advance(&mut self) -> Result<Nonce, Unspecified> {
        let mut nonce = [0; NONCE_LEN];
        nonce[..8].copy_from_slice(&self.0.to_le_bytes());
        self.0 = self.0.checked_add(1).ok_or(Unspecified)?;
        Ok(Nonce::assume_unique_for_key(nonce))
    }
}

impl RecordReader {
    fn new(socket: OwnedReadHalf, key: UnboundKey) -> Self {
        let key = OpeningKey::new(key, Counter(0));
        Self { socket, key, buffer: Vec::new(), taken: 0, limit: HELLO }
    }

    /// The next record. If this is cancelled, nothing is lost.
    pub(super) async fn next(&mut self) -> io::Result<Vec<u8>> {
        loop {
            if let Some(record) = self.take()? {
                return Ok(record);
            }
            self.buffer.drain(..self.taken);
            self.taken = 0;
            self.buffer.reserve(16 * 1024);
            if self.socket.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }

    /// Takes a record that was read completely.
    fn take(&mut self) -> io::Result<Option<Vec<u8>>> {
        let rest = &mut self.buffer[self.taken..];
        let Some((length, rest)) = rest.split_first_chunk_mut::<LENGTH>() else { return Ok(None) };
        let length = u32::from_le_bytes(*length) as usize;
        if length > self.limit {
            return Err(refused("a record is too long"));
        }
        let Some(sealed) = rest.get_mut(..length) else { return Ok(None) };
        let opened = self.key.open_in_place(Aad::empty(), sealed);
        let opened = opened.map_err(|_| refused("a record was not made with the key"))?.to_vec();
        self.taken += LENGTH + length;
        // Only an end with the key gets here.
        self.limit = RECORD;
        Ok(Some(opened))
    }
}

impl RecordWriter {
    fn new(socket: OwnedWriteHalf, key: UnboundKey) -> Self {
        Self { socket, key: SealingKey::new(key, Counter(0)), record: Vec::new() }
    }

    /// Writes a record. If this is cancelled, the link is of no use any more.
    pub(super) async fn write(&mut self, text: &[u8]) -> io::Result<()> {
        self.record.clear();
        self.record.extend_from_slice(&[0; LENGTH]);
        self.record.extend_from_slice(text);
        let sealed = &mut self.record[LENGTH..];
        let tag = self.key.seal_in_place_separate_tag(Aad::empty(), sealed);
        let tag = tag.map_err(|_| refused("too many records"))?;
        self.record.extend_from_slice(tag.as_ref());
        let length =
            u32::try_from(self.record.len() - LENGTH).ok().filter(|n| *n as usize <= RECORD);
        let length = length.ok_or_else(|| refused("a record is too long"))?;
        self.record[..LENGTH].copy_from_slice(&length.to_le_bytes());
        self.socket.write_all(&self.record).await
    }
}
