//! The cryptography behind JSON Web Tokens, on `ring`, which TLS brings along anyway: signs with Ed25519, and checks Ed25519,
//! ECDSA on P-256 and RSA. Any other algorithm is refused, those with a shared secret included.

use jsonwebtoken::{
    Algorithm, AlgorithmFamily, DecodingKey, DecodingKeyKind, EncodingKey,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{ErrorKind, Result, new_error},
    jwk::{EllipticCurve, ThumbprintHash},
    signature::{self, Signer, Verifier},
};
use ring::{
    digest,
    signature::{
        ECDSA_P256_SHA256_FIXED, ED25519, Ed25519KeyPair, KeyPair, RSA_PKCS1_2048_8192_SHA256,
        RsaPublicKeyComponents, UnparsedPublicKey,
    },
};

static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |algorithm, key| signer(*algorithm, key),
    verifier_factory: |algorithm, key| verifier(*algorithm, key),
    key_utils: KeyUtils {
        ed_pub_components_from_private_key: ed25519_public_key,
        compute_digest: |data, hash| compute_digest(data, &hash),
        // Tokens are signed with Ed25519 only, so that no other private key is ever looked at, and public keys of others come
        // as JSON Web Keys, which hold their components.
        ..KeyUtils::new_unimplemented()
    },
};

/// Makes `jsonwebtoken` use this module. Has to be called before the first token is signed or checked; further calls change
/// nothing.
pub fn install() {
    // An error says that a provider is installed already, and this one is the only one.
    let _ = PROVIDER.install_default();
}

fn signer(algorithm: Algorithm, key: &EncodingKey) -> Result<Box<dyn JwtSigner>> {
    match (algorithm, key.family()) {
        (Algorithm::EdDSA, AlgorithmFamily::Ed) => {
            Ok(Box::new(Ed25519Signer(ed25519_key_pair(key.as_bytes())?)))
        }
        (Algorithm::EdDSA, _) => Err(new_error(ErrorKind::InvalidKeyFormat)),
        _ => Err(new_error(ErrorKind::UnsupportedAlgorithm)),
    }
}

fn verifier(algorithm: Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let family = match algorithm {
        Algorithm::EdDSA => AlgorithmFamily::Ed,
        Algorithm::ES256 => AlgorithmFamily::Ec,
        Algorithm::RS256 => AlgorithmFamily::Rsa,
        _ => return Err(new_error(ErrorKind::UnsupportedAlgorithm)),
    };
    if key.family() != family {
        return Err(new_error(ErrorKind::InvalidKeyFormat));
    }
    Ok(Box::new(SignatureVerifier { algorithm, key: key.clone() }))
}

struct Ed25519Signer(Ed25519KeyPair);

impl Signer<Vec<u8>> for Ed25519Signer {
    fn try_sign(&self, message: &[u8]) -> std::result::Result<Vec<u8>, signature::Error> {
        Ok(self.0.sign(message).as_ref().to_vec())
    }
}

impl JwtSigner for Ed25519Signer {
    fn algorithm(&self) -> Algorithm {
        Algorithm::EdDSA
    }
}

struct SignatureVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl Verifier<Vec<u8>> for SignatureVerifier {
    fn verify(
        &self,
        message: &[u8],
        signature: &Vec<u8>,
    ) -> std::result::Result<(), signature::Error> {
        let verified = match (self.algorithm, self.key.kind()) {
            (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(key)) => {
                UnparsedPublicKey::new(&ED25519, key).verify(message, signature)
            }
            (Algorithm::ES256, DecodingKeyKind::SecretOrDer(point)) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, point).verify(message, signature)
            }
            (Algorithm::RS256, DecodingKeyKind::SecretOrDer(der)) => {
                UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, der).verify(message, signature)
            }
            (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
                RsaPublicKeyComponents { n, e }.verify(
                    &RSA_PKCS1_2048_8192_SHA256,
                    message,
                    signature,
                )
            }
            _ => Err(ring::error::Unspecified),
        };
        // Why a signature is wrong is nobody's business.
        verified.map_err(|_| signature::Error::new())
    }
}

impl JwtVerifier for SignatureVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}

/// A key pair from PKCS #8, with the public key or without it.
fn ed25519_key_pair(der: &[u8]) -> Result<Ed25519KeyPair> {
    Ed25519KeyPair::from_pkcs8_maybe_unchecked(der)
        .map_err(|_| new_error(ErrorKind::InvalidEddsaKey))
}

fn ed25519_public_key(der: &[u8], curve: &EllipticCurve) -> Result<Vec<u8>> {
    match curve {
        EllipticCurve::Ed25519 => Ok(ed25519_key_pair(der)?.public_key().as_ref().to_vec()),
        _ => Err(new_error(ErrorKind::UnsupportedAlgorithm)),
    }
}

fn compute_digest(data: &[u8], hash: &ThumbprintHash) -> Result<Vec<u8>> {
    let algorithm = match hash {
        ThumbprintHash::SHA256 => &digest::SHA256,
        ThumbprintHash::SHA384 => &digest::SHA384,
        ThumbprintHash::SHA512 => &digest::SHA512,
        _ => return Err(new_error(ErrorKind::UnsupportedAlgorithm)),
    };
    Ok(digest::digest(algorithm, data).as_ref().to_vec())
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
    use jsonwebtoken::{
        crypto::{sign, verify},
        jwk::{AlgorithmParameters, Jwk},
    };
    use serde_json::json;

    use super::*;

    /// The key of RFC 8037, appendix A.
    const SEED: &str = "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A";
    /// RFC 7515, appendices A.2 and A.3.
    const CLAIMS: &str = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";

    fn signing_key(seed: &str) -> EncodingKey {
        let mut der = hex::decode("302e020100300506032b657004220420").unwrap();
        der.extend(BASE64_URL_SAFE_NO_PAD.decode(seed).unwrap());
        EncodingKey::from_ed_der(&der)
    }

    fn public_key(jwk: serde_json::Value) -> DecodingKey {
        DecodingKey::from_jwk(&serde_json::from_value::<Jwk>(jwk).unwrap()).unwrap()
    }

    /// A token as message and signature.
    fn split(token: &str) -> (&str, &str) {
        token.rsplit_once('.').unwrap()
    }

    #[test]
    fn ed25519_signs_and_checks_as_rfc_8037_says() {
        install();
        let signing = signing_key(SEED);
        let public = Jwk::from_encoding_key(&signing, Algorithm::EdDSA).unwrap();
        let AlgorithmParameters::OctetKeyPair(key) = &public.algorithm else {
            panic!("{public:?}")
        };
        assert_eq!(key.x, "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo");
        let thumbprint = public.thumbprint(ThumbprintHash::SHA256).unwrap();
        assert_eq!(thumbprint, "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");

        let (message, signature) = split(
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg",
        );
        let message = message.as_bytes();
        assert_eq!(sign(message, &signing, Algorithm::EdDSA).unwrap(), signature);
        let checking = DecodingKey::from_jwk(&public).unwrap();
        assert!(verify(signature, message, &checking, Algorithm::EdDSA).unwrap());
    }

    #[test]
    fn rs256_is_checked_as_rfc_7515_says() {
        install();
        let key = public_key(json!({
            "kty": "RSA",
            "n": "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ",
            "e": "AQAB",
        }));
        let signature = "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
        let message = format!("eyJhbGciOiJSUzI1NiJ9.{CLAIMS}");
        let check = |message: &str| verify(signature, message.as_bytes(), &key, Algorithm::RS256);
        assert!(check(&message).unwrap());
        assert!(!check(&message.replace("ey", "Ey")).unwrap());
        assert!(check_fails(&key, Algorithm::ES256));
        assert!(check_fails(&key, Algorithm::RS384));
    }

    #[test]
    fn es256_is_checked_as_rfc_7515_says() {
        install();
        let key = public_key(json!({
            "kty": "EC",
            "crv": "P-256",
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        }));
        let signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
        let message = format!("eyJhbGciOiJFUzI1NiJ9.{CLAIMS}");
        let check = |message: &str| verify(signature, message.as_bytes(), &key, Algorithm::ES256);
        assert!(check(&message).unwrap());
        assert!(!check(&message.replace("ey", "Ey")).unwrap());
        assert!(check_fails(&key, Algorithm::EdDSA));
    }

    #[test]
    fn a_signature_of_another_key_or_message_is_refused() {
        install();
        let one = signing_key(SEED);
        let two = signing_key(&BASE64_URL_SAFE_NO_PAD.encode([7; 32]));
        let [first, second] = [&one, &two].map(|key| {
            DecodingKey::from_jwk(&Jwk::from_encoding_key(key, Algorithm::EdDSA).unwrap()).unwrap()
        });
        let signature = sign(b"hello", &two, Algorithm::EdDSA).unwrap();
        let check = |message, key: &DecodingKey| {
            verify(&signature, message, key, Algorithm::EdDSA).unwrap()
        };
        assert!(check(b"hello", &second));
        assert!(!check(b"hello", &first));
        assert!(!check(b"hallo", &second));
        assert!(!verify("", b"hello", &second, Algorithm::EdDSA).unwrap());
    }

    #[test]
    fn other_algorithms_and_keys_of_another_kind_are_refused() {
        install();
        let secret = EncodingKey::from_secret(b"secret");
        assert!(sign(b"hello", &secret, Algorithm::HS256).is_err());
        assert!(sign(b"hello", &secret, Algorithm::EdDSA).is_err());
        assert!(sign(b"hello", &signing_key(SEED), Algorithm::ES256).is_err());
        assert!(sign(b"hello", &EncodingKey::from_ed_der(b"short"), Algorithm::EdDSA).is_err());
        // The public key of one algorithm is not taken for the secret of another.
        let key = DecodingKey::from_secret(&[7; 32]);
        assert!(check_fails(&key, Algorithm::HS256));
        assert!(check_fails(&key, Algorithm::EdDSA));
    }

    fn check_fails(key: &DecodingKey, algorithm: Algorithm) -> bool {
        verify("AAAA", b"hello", key, algorithm).is_err()
    }
}
