//! `telar verify`: any bytes are a proof or flawed.
#![no_main]

use domain::proof::Proof;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(proof) = Proof::from_text(bytes) {
        let _ = proof.verify();
    }
});
