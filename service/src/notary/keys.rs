//! The keys that sign matches and tree heads. Each is derived from the seed of a key for access tokens, but is a key of its own:
//! nothing that one of them signs can be mistaken for something that the other signs.

use std::collections::HashMap;

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use domain::proof::{BadSignature, Keys};
use jsonwebtoken::jwk::{
    AlgorithmParameters, CommonParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm,
    OctetKeyPairParameters, OctetKeyPairType, PublicKeyUse,
};
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use sha2::{Digest, Sha256};
use store::signatures::ProofKey;

use crate::keys::KeyError;

/// The use of these keys, as the key set states it. Programs that check access tokens skip keys with another use than `sig`.
const USE: &str = "proof";

/// The keys of this server. The first one signs.
pub struct ProofKeys(Vec<SigningKey>);

struct SigningKey {
    kid: String,
    pair: Ed25519KeyPair,
}

impl std::fmt::Debug for ProofKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.0.iter().map(|key| &key.kid)).finish()
    }
}

impl ProofKeys {
    /// The keys that follow from these seeds.
    pub fn new(seeds: &[[u8; 32]]) -> Result<Self, KeyError> {
        let keys = seeds.iter().map(SigningKey::derive).collect::<Result<Vec<_>, _>>();
        keys.map(Self).map_err(|error| KeyError(format!("TELAR_SIGNING_KEY: {error}")))
    }

    /// Signs with the current key, and returns its id and the signature.
    #[must_use]
    pub fn sign(&self, bytes: &[u8]) -> (String, [u8; 64]) {
        let key = &self.0[0];
        let signature = key.pair.sign(bytes);
        (key.kid.clone(), signature.as_ref().try_into().expect("Ed25519 signs with 64 bytes"))
    }

    /// The public halves.
    #[must_use]
    pub fn public(&self) -> Vec<ProofKey> {
        let public = |key: &SigningKey| ProofKey {
            kid: key.kid.clone(),
            public_key: key.pair.public_key().as_ref().to_vec(),
        };
        self.0.iter().map(public).collect()
    }
}

impl SigningKey {
    fn derive(seed: &[u8; 32]) -> Result<Self, ring::error::KeyRejected> {
        let seed = Sha256::new().chain_update("telar/proof-key/1").chain_update(seed).finalize();
        let pair = Ed25519KeyPair::from_seed_unchecked(&seed)?;
        Ok(Self { kid: thumbprint(pair.public_key().as_ref()), pair })
    }
}

/// The thumbprint of a public key (RFC 7638, RFC 8037).
fn thumbprint(public_key: &[u8]) -> String {
    let x = BASE64_URL_SAFE_NO_PAD.encode(public_key);
    let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
    BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(members))
}

/// A public key as it is published.
#[must_use]
pub fn published(key: &ProofKey) -> Jwk {
    Jwk {
        common: CommonParameters {
            public_key_use: Some(PublicKeyUse::Other(USE.to_owned())),
            key_algorithm: Some(KeyAlgorithm::EdDSA),
            key_id: Some(key.kid.clone()),
            ..CommonParameters::default()
        },
        algorithm: AlgorithmParameters::OctetKeyPair(OctetKeyPairParameters {
            key_type: OctetKeyPairType::OctetKeyPair,
            curve: EllipticCurve::Ed25519,
            x: BASE64_URL_SAFE_NO_PAD.encode(&key.public_key),
        }),
    }
}

/// The keys of a server that somebody verifies, from its key set.
#[derive(Debug, Default)]
pub struct PublicKeys(HashMap<String, [u8; 32]>);

/// A text that is not a key set with keys for proofs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a key set with keys for proofs; expected a copy of /.well-known/jwks.json")]
pub struct NoKeys;

impl PublicKeys {
    /// Reads a key set, such as the one at `/.well-known/jwks.json`. Keys for anything but proofs are left out.
    pub fn read(text: &[u8]) -> Result<Self, NoKeys> {
        let set: JwkSet = serde_json::from_slice(text).map_err(|_| NoKeys)?;
        let keys: HashMap<_, _> = set.keys.iter().filter_map(proof_key).collect();
        if keys.is_empty() { Err(NoKeys) } else { Ok(Self(keys)) }
    }
}

fn proof_key(key: &Jwk) -> Option<(String, [u8; 32])> {
    let is_for_proofs = key.common.public_key_use == Some(PublicKeyUse::Other(USE.to_owned()));
    let AlgorithmParameters::OctetKeyPair(pair) = &key.algorithm else { return None };
    if !is_for_proofs || pair.curve != EllipticCurve::Ed25519 {
        return None;
    }
    let public_key: [u8; 32] = BASE64_URL_SAFE_NO_PAD.decode(&pair.x).ok()?.try_into().ok()?;
    Some((key.common.key_id.clone()?, public_key))
}

impl Keys for PublicKeys {
    fn check(&self, kid: &str, bytes: &[u8], signature: &[u8; 64]) -> Result<(), BadSignature> {
        let key = self.0.get(kid).ok_or(BadSignature::UnknownKey)?;
        let checked = UnparsedPublicKey::new(&ED25519, key).verify(bytes, signature);
        checked.map_err(|_| BadSignature::Wrong)
    }
}

#[cfg(test)]
mod tests {
    use domain::proof::{self, Proof};

    use super::*;
    use crate::keys::{MissingKey, signing_seeds};

    fn keys(seeds: &str) -> ProofKeys {
        let seeds =
            signing_seeds(Some(seeds), std::path::Path::new(""), MissingKey::Refuse).unwrap();
        ProofKeys::new(&seeds).unwrap()
    }

    const ONE: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
    const TWO: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";

    fn published_set(keys: &ProofKeys) -> PublicKeys {
        let set = JwkSet { keys: keys.public().iter().map(published).collect() };
        PublicKeys::read(&serde_json::to_vec(&set).unwrap()).unwrap()
    }

    #[test]
    fn what_a_key_signs_is_accepted_with_its_published_half_and_nothing_else_is() {
        let signing = keys(&format!("{ONE},{TWO}"));
        let (kid, signature) = signing.sign(b"telar/end/1");
        let public = published_set(&signing);
        assert_eq!(public.check(&kid, b"telar/end/1", &signature), Ok(()));
        assert_eq!(public.check(&kid, b"telar/end/2", &signature), Err(BadSignature::Wrong));
        let other = published_set(&keys(TWO));
        assert_eq!(other.check(&kid, b"telar/end/1", &signature), Err(BadSignature::UnknownKey));
        // A retired key comes after the current one, and its signatures are still accepted.
        let rotated = published_set(&keys(&format!("{TWO},{ONE}")));
        assert_eq!(rotated.check(&kid, b"telar/end/1", &signature), Ok(()));
    }

    #[test]
    fn the_worked_example_of_the_documentation_is_signed_as_it_says() {
        let page = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/proof.md");
        let page = std::fs::read_to_string(page).unwrap();
        let document = page.lines().find(|line| line.starts_with("{\"format\"")).unwrap();
        let proof = Proof::from_text(document.as_bytes()).unwrap();
        let signing = keys(ONE);
        let public = signing.public().remove(0);
        assert!(page.contains(&format!("| `kid` | `{}` |", public.kid)));
        let x = BASE64_URL_SAFE_NO_PAD.encode(public.public_key);
        assert!(page.contains(&format!("`\"x\":\"{x}\"`")));
        let rows = proof.rows().unwrap();
        for statement in proof::statements(&rows, &[2, 5]).unwrap() {
            let (_, signature) = signing.sign(&statement.bytes);
            let (moment, seq) = (statement.moment.id(), statement.seq);
            let line =
                format!("| `signatures.{moment}` (`seq` {seq}) | `{}` |", hex::encode(signature));
            assert!(page.contains(&line), "{line}");
        }
        let leaf = proof.leaf().unwrap();
        assert!(page.contains(&format!("with this match only | `{}` |", hex::encode(leaf))));
        let (_, head) = signing.sign(&proof::tree_head(1, 1_790_000_100_000_000, &leaf));
        assert!(page.contains(&format!("at 1790000100000000 | `{}` |", hex::encode(head))));
    }

    #[test]
    fn a_key_for_access_tokens_is_not_a_key_for_proofs() {
        let key = keys(ONE).public().remove(0);
        let mut jwk = published(&key);
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        let set = serde_json::to_vec(&JwkSet { keys: vec![jwk] }).unwrap();
        assert_eq!(PublicKeys::read(&set).unwrap_err(), NoKeys);
        for text in ["", "{}", "{\"keys\":[]}", "[]", "{\"keys\":[{\"kty\":\"oct\",\"k\":\"AA\"}]}"]
        {
            assert_eq!(PublicKeys::read(text.as_bytes()).unwrap_err(), NoKeys, "{text}");
        }
    }
}
