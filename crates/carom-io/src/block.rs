//! Many numbers as one JSON string: little-endian bytes in base64 (RFC 4648, standard alphabet, padded). A third larger
//! than the bytes, half the size of digits, and read by a browser in one go.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as text.
pub(crate) fn encode(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    let letter = |bits: u32| ALPHABET[(bits & 63) as usize];
    let mut triples = bytes.chunks_exact(3);
    for triple in &mut triples {
        let bits = u32::from_be_bytes([0, triple[0], triple[1], triple[2]]);
        out.extend([letter(bits >> 18), letter(bits >> 12), letter(bits >> 6), letter(bits)]);
    }
    match *triples.remainder() {
        [] => {}
        [a, ref rest @ ..] => {
            let b = rest.first().copied();
            let bits = u32::from_be_bytes([0, a, b.unwrap_or(0), 0]);
            let third = if b.is_some() { letter(bits >> 6) } else { b'=' };
            out.extend([letter(bits >> 18), letter(bits >> 12), third, b'=']);
        }
    }
    String::from_utf8(out).expect("the alphabet is ASCII")
}

/// Text as bytes; none if it is not base64.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    const VALUES: [u8; 256] = {
        let mut values = [u8::MAX; 256];
        let mut i = 0;
        while i < 64 {
            values[ALPHABET[i] as usize] = i as u8;
            i += 1;
        }
        values
    };
    if !text.len().is_multiple_of(4) {
        return None;
    }
    let padding = text.bytes().rev().take_while(|b| *b == b'=').count();
    let letters = &text.as_bytes()[..text.len() - padding];
    if padding > 2 {
        return None;
    }
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    for four in letters.chunks(4) {
        let mut bits = 0;
        for i in 0..4 {
            let value = four.get(i).map_or(0, |b| VALUES[usize::from(*b)]);
            if value == u8::MAX {
                return None;
            }
            bits = bits << 6 | u32::from(value);
        }
        out.extend(&bits.to_be_bytes()[1..four.len()]);
    }
    Some(out)
}

/// For `#[serde(with = "block::f32s")]` and its like: the numbers of a field as one block.
macro_rules! block_of {
    ($name:ident, $number:ty) => {
        pub(crate) mod $name {
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            /// The text of the numbers.
            pub(crate) fn text(numbers: impl IntoIterator<Item = $number>) -> String {
                let bytes: Vec<u8> = numbers.into_iter().flat_map(<$number>::to_le_bytes).collect();
                super::encode(&bytes)
            }

            pub(crate) fn serialize<S: Serializer>(numbers: &[$number], to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(&text(numbers.iter().copied()))
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<$number>, D::Error> {
                let text = String::deserialize(from)?;
                let bytes = super::decode(&text).ok_or_else(|| D::Error::custom("a block is no base64"))?;
                let (numbers, rest) = bytes.as_chunks();
                if !rest.is_empty() {
                    return Err(D::Error::custom("a block ends within a number"));
                }
                Ok(numbers.iter().map(|b| <$number>::from_le_bytes(*b)).collect())
            }
        }
    };
}

block_of!(f32s, f32);
block_of!(f64s, f64);

block_of!(whole, u32);

/// Triples of numbers, one after the other.
macro_rules! triples_of {
    ($name:ident, $block:ident, $number:ty) => {
        pub(crate) mod $name {
            use serde::{Deserializer, Serializer, de::Error};

            pub(crate) fn serialize<S: Serializer>(of: &[[$number; 3]], to: S) -> Result<S::Ok, S::Error> {
                super::$block::serialize(of.as_flattened(), to)
            }

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<Vec<[$number; 3]>, D::Error> {
                let flat = super::$block::deserialize(from)?;
                let (triples, rest) = flat.as_chunks();
                if !rest.is_empty() {
                    return Err(D::Error::custom("a block of triples ends within one"));
                }
                Ok(triples.to_vec())
            }
        }
    };
}

triples_of!(triples, f32s, f32);
triples_of!(corners, whole, u32);

/// The text of whole numbers, which are only written.
pub(crate) fn u32s(numbers: impl IntoIterator<Item = u32>) -> String {
    let bytes: Vec<u8> = numbers.into_iter().flat_map(u32::to_le_bytes).collect();
    encode(&bytes)
}

/// The same for a field that may be missing.
pub(crate) mod maybe_f32s {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[derive(Deserialize)]
    struct Block(#[serde(with = "super::f32s")] Vec<f32>);

    pub(crate) fn serialize<S: Serializer>(numbers: &Option<Vec<f32>>, to: S) -> Result<S::Ok, S::Error> {
        numbers.as_deref().map(|n| super::f32s::text(n.iter().copied())).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<f32>>, D::Error> {
        Ok(Option::<Block>::deserialize(from)?.map(|block| block.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of RFC 4648, section 10.
    #[test]
    fn the_published_examples() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(plain.as_bytes()), coded);
            assert_eq!(decode(coded).unwrap(), plain.as_bytes());
        }
    }

    #[test]
    fn every_byte_comes_back_and_nonsense_does_not() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&bytes)).unwrap(), bytes);
        for wrong in ["A", "AB", "ABC", "A===", "====", "AB-D", "AB=D", "äA"] {
            assert_eq!(decode(wrong), None, "{wrong}");
        }
    }
}
