//! FNV-1a, 64 bits: enough to tell two books or two sweeps apart.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0100_0000_01b3;

/// In hexadecimal.
pub fn digest(bytes: impl IntoIterator<Item = u8>) -> String {
    let hash = bytes.into_iter().fold(OFFSET, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME));
    format!("{hash:016x}")
}
