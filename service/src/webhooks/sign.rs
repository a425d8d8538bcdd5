//! Signatures as in Standard Webhooks: HMAC-SHA256 over id, time and body.

use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::secret;

const PREFIX: &str = "whsec_";

/// A new secret, in the form that is shown to its owner once.
#[must_use]
pub fn new_secret() -> String {
    format!("{PREFIX}{}", BASE64_STANDARD.encode(secret::bytes::<32>()))
}

/// A stored secret that is not one of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the secret of a webhook cannot be read")]
pub(super) struct BadSecret;

/// The signature of a message.
pub(super) fn signature(
    secret: &str,
    id: &str,
    seconds: i64,
    body: &str,
) -> Result<String, BadSecret> {
    let key = secret.strip_prefix(PREFIX).ok_or(BadSecret)?;
    let key = BASE64_STANDARD.decode(key).map_err(|_| BadSecret)?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("HMAC takes keys of any length");
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    Ok(format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the Standard Webhooks libraries.
    #[test]
    fn a_message_is_signed_as_the_standard_says() {
        let signed = signature(
            "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            1_614_265_330,
            r#"{"test": 2432232314}"#,
        );
        assert_eq!(signed.as_deref(), Ok("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="));
        assert_eq!(signature("secret", "msg", 0, "{}"), Err(BadSecret));
    }

    #[test]
    fn a_secret_has_256_bits_and_is_new_every_time() {
        let secret = new_secret();
        let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").expect("a prefix"));
        assert_eq!(key.expect("base64").len(), 32);
        assert_ne!(secret, new_secret());
    }
}
