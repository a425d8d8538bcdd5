//! Which addresses a webhook may have. A host name is resolved, its addresses are checked, and the connection is made to exactly
//! those: nothing is resolved again between the check and the connection.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use domain::text::Text;
use url::{Host, Url};

/// Which URLs are allowed: only HTTPS to public addresses, unless configured otherwise for tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Policy {
    /// Whether HTTP without TLS is allowed.
    pub http: bool,
    /// Whether addresses outside the public Internet are allowed.
    pub private: bool,
}

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It is not a URL of the required form.
    Malformed,
    /// It is not HTTPS.
    Scheme,
    /// It contains a user name or a password.
    Credentials,
    /// It does not resolve.
    Unknown,
    /// It resolves to an address that is not public.
    Private,
}

impl Refused {
    /// What is wrong, and what to do about it.
    #[must_use]
    pub fn text(self) -> Text {
        match self {
            Self::Malformed => Text::new(
                "`url` is an absolute https:// URL of at most 2,000 characters, without a fragment.",
                "`url` es una URL https:// absoluta de 2000 caracteres como mucho, sin fragmento.",
            ),
            Self::Scheme => Text::new(
                "A webhook is reached by https:// only.",
                "A un webhook se llega solo por https://.",
            ),
            Self::Credentials => Text::new(
                "The URL must not hold a name or a password: check the signature instead.",
                "La URL no debe llevar nombre ni contraseña: comprueba la firma.",
            ),
            Self::Unknown => Text::new(
                "The host of the URL cannot be found.",
                "No se encuentra el servidor de la URL.",
            ),
            Self::Private => Text::new(
                "The host of the URL is not on the public Internet.",
                "El servidor de la URL no está en la Internet pública.",
            ),
        }
    }

    /// A short code, for the log of deliveries.
    pub(super) const fn code(self) -> &'static str {
        match self {
            Self::Malformed => "url_malformed",
            Self::Scheme => "url_not_https",
            Self::Credentials => "url_with_credentials",
            Self::Unknown => "host_unknown",
            Self::Private => "host_not_public",
        }
    }
}

impl Policy {
    /// Parses a URL that may be called.
    pub fn parse(self, text: &str) -> Result<Url, Refused> {
        if text.len() > 2_000 {
            return Err(Refused::Malformed);
        }
        let url = Url::parse(text).map_err(|_| Refused::Malformed)?;
        match url.scheme() {
            "https" => {}
            "http" if self.http => {}
            "http" => return Err(Refused::Scheme),
            _ => return Err(Refused::Malformed),
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(Refused::Credentials);
        }
        if url.fragment().is_some() || url.host().is_none() || url.port() == Some(0) {
            return Err(Refused::Malformed);
        }
        Ok(url)
    }

    /// The addresses to connect to.
    pub async fn resolve(self, url: &Url) -> Result<Vec<SocketAddr>, Refused> {
        let port = url.port_or_known_default().ok_or(Refused::Malformed)?;
        let found: Vec<SocketAddr> = match url.host().ok_or(Refused::Malformed)? {
            Host::Ipv4(ip) => vec![(ip, port).into()],
            Host::Ipv6(ip) => vec![(ip, port).into()],
            Host::Domain(name) => {
                tokio::net::lookup_host((name, port)).await.map_err(|_| Refused::Unknown)?.collect()
            }
        };
        self.permit(&found)?;
        Ok(found)
    }

    /// Refuses addresses that may not be called.
    pub(super) fn permit(self, found: &[SocketAddr]) -> Result<(), Refused> {
        if found.is_empty() {
            return Err(Refused::Unknown);
        }
        // A host name with a single private address among public ones is refused as well.
        if self.private || found.iter().all(|address| is_public(address.ip())) {
            Ok(())
        } else {
            Err(Refused::Private)
        }
    }
}

fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    !(ip.is_private()
        || ip.is_loopback()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_documentation()
        // "This network"; reserved and broadcast.
        || a == 0
        || a >= 240
        // Shared by providers; protocol assignments; relays of 6to4; benchmarks.
        || (a == 100 && b & 0xc0 == 64)
        || (a == 192 && b == 0 && c == 0)
        || (a == 192 && b == 88 && c == 99)
        || (a == 198 && b & 0xfe == 18))
}

/// Only global unicast, without ranges that embed an IPv4 address or name no host.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, ..] = ip.segments();
    let is_global = a & 0xe000 == 0x2000;
    // Protocol assignments with Teredo and ORCHID; documentation; 6to4.
    let is_special =
        (a == 0x2001 && (b < 0x0200 || b == 0x0db8)) || a == 0x2002 || (a == 0x3fff && b < 0x1000);
    is_global && !is_special
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_without_credentials_is_called() {
        let policy = Policy::default();
        for (text, refused) in [
            ("http://example.com/", Refused::Scheme),
            ("ftp://example.com/", Refused::Malformed),
            ("file:///etc/passwd", Refused::Malformed),
            ("gopher://example.com/", Refused::Malformed),
            ("example.com", Refused::Malformed),
            ("https://", Refused::Malformed),
            ("https://example.com/#a", Refused::Malformed),
            ("https://example.com:0/", Refused::Malformed),
            ("https://user@example.com/", Refused::Credentials),
            ("https://user:word@example.com/", Refused::Credentials),
        ] {
            assert_eq!(policy.parse(text), Err(refused), "{text}");
        }
        assert_eq!(
            policy.parse(&format!("https://example.com/{}", "a".repeat(2_000))),
            Err(Refused::Malformed)
        );
        assert!(policy.parse("https://example.com:8443/hook?a=b").is_ok());
        assert!(Policy { http: true, private: false }.parse("http://example.com/").is_ok());
    }

    #[tokio::test]
    async fn what_is_not_public_is_refused_however_it_is_written() {
        for host in [
            "127.0.0.1",
            "127.1",
            "2130706433",
            "0x7f000001",
            "0177.0.0.1",
            "0.0.0.0",
            "10.1.2.3",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.192",
            "198.18.0.1",
            "198.51.100.7",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "[::]",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "[::ffff:8.8.8.8]",
            "[::7f00:1]",
            "[fe80::1]",
            "[fec0::1]",
            "[fc00::1]",
            "[fd00:ec2::254]",
            "[ff02::1]",
            "[64:ff9b::7f00:1]",
            "[64:ff9b:1::1]",
            "[2002:7f00:1::1]",
            "[2001::1]",
            "[2001:db8::1]",
            "[3fff::1]",
            "[100::1]",
            "localhost",
        ] {
            let url = Policy::default().parse(&format!("https://{host}/")).expect(host);
            let resolved = Policy::default().resolve(&url).await;
            assert!(
                matches!(resolved, Err(Refused::Private | Refused::Unknown)),
                "{host}: {resolved:?}"
            );
        }
        for host in
            ["8.8.8.8", "100.63.0.1", "172.32.0.1", "[2606:4700::1111]", "[2001:4860:4860::8888]"]
        {
            let url = Policy::default().parse(&format!("https://{host}/")).expect(host);
            assert!(Policy::default().resolve(&url).await.is_ok(), "{host}");
        }
    }
}
