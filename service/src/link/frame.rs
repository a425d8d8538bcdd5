//! The messages in a record: as many as were waiting when it was sent.

/// A message on a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame<'a> {
    /// Asks for an answer with the same number.
    Request(u64, &'a [u8]),
    /// Answers a request.
    Answer(u64, &'a [u8]),
    /// Says something that nobody answers.
    News(&'a [u8]),
}

const REQUEST: u8 = 1;
const ANSWER: u8 = 2;
const NEWS: u8 = 3;

/// The bytes of a frame besides its body: kind, number, length of the body.
pub(super) const HEAD: usize = 1 + 8 + 4;

impl<'a> Frame<'a> {
    /// Appends the frame to a record. The body fits into one; see [`super::LARGEST`].
    pub(super) fn append_to(self, record: &mut Vec<u8>) {
        let (kind, number, body) = match self {
            Self::Request(number, body) => (REQUEST, number, body),
            Self::Answer(number, body) => (ANSWER, number, body),
            Self::News(body) => (NEWS, 0, body),
        };
        record.push(kind);
        record.extend_from_slice(&number.to_le_bytes());
        let length = u32::try_from(body.len()).expect("a body is smaller than a record");
        record.extend_from_slice(&length.to_le_bytes());
        record.extend_from_slice(body);
    }

    /// The frames of a record; the last one is nothing if the record is damaged.
    pub(super) fn all(mut record: &'a [u8]) -> impl Iterator<Item = Option<Self>> {
        std::iter::from_fn(move || {
            if record.is_empty() {
                return None;
            }
            let frame = Self::read(&mut record);
            if frame.is_none() {
                record = &[];
            }
            Some(frame)
        })
    }

    fn read(record: &mut &'a [u8]) -> Option<Self> {
        let (kind, rest) = record.split_first()?;
        let (number, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let number = u64::from_le_bytes(*number);
        let (body, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        *record = rest;
        match *kind {
            REQUEST => Some(Self::Request(number, body)),
            ANSWER => Some(Self::Answer(number, body)),
            NEWS => Some(Self::News(body)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_were_written_and_a_cut_record_is_damaged() {
        let frames = [
            Frame::Request(1, b"one"),
            Frame::Answer(u64::MAX, b""),
            Frame::News(b"something long enough"),
        ];
        let mut record = Vec::new();
        for frame in frames {
            frame.append_to(&mut record);
        }
        let read: Option<Vec<Frame<'_>>> = Frame::all(&record).collect();
        assert_eq!(read.as_deref(), Some(frames.as_slice()));
        let whole: Vec<usize> = frames.iter().fold(vec![0], |mut ends, frame| {
            let (Frame::Request(_, body) | Frame::Answer(_, body) | Frame::News(body)) = frame;
            ends.push(ends[ends.len() - 1] + HEAD + body.len());
            ends
        });
        for cut in 0..record.len() {
            let read: Option<Vec<Frame<'_>>> = Frame::all(&record[..cut]).collect();
            assert_eq!(read.is_some(), whole.contains(&cut), "{cut}");
        }
        record[0] = 9;
        assert_eq!(Frame::all(&record).next(), Some(None));
    }
}
