//! `telar import`: any bytes are an export or flawed, and what is accepted can be written to the store.
#![no_main]

use libfuzzer_sys::fuzz_target;
use service::export::Export;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(export) = Export::from_text(bytes)
        && export.proof.verify().is_ok()
    {
        assert!(export.proof.rows().is_ok());
    }
});
