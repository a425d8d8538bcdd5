//! Where a request comes from. What a client says about that itself is not believed; what a trusted proxy says is.

use std::{
    convert::Infallible,
    future::{Ready, ready},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header::{HeaderMap, HeaderName},
    web::Data,
};
use clap::ValueEnum;
use ipnet::IpNet;

/// The address that a request counts for. A household has a whole /64 of IPv6 addresses, so that counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Address(pub IpAddr);

impl Address {
    /// The address of a request.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        let addresses = request.app_data::<Data<Addresses>>();
        Addresses::address(addresses, request.peer_addr(), request.headers())
    }
}

/// Which proxies are believed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TrustedProxies {
    /// There are none.
    Nobody,
    /// As many as this stand between the client and us.
    Hops(usize),
    /// Those with these addresses.
    Nets(Vec<IpNet>),
}

/// The header in which proxies say for whom they ask. Only one is believed: a proxy that writes one passes the other on as
/// the client wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`
    XForwardedFor,
    /// `Forwarded` (RFC 7239)
    Forwarded,
}

impl FromStr for TrustedProxies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        match text.parse::<usize>() {
            Ok(0) => return Ok(Self::Nobody),
            Ok(hops) => return Ok(Self::Hops(hops)),
            Err(_) if text.is_empty() => return Ok(Self::Nobody),
            Err(_) => {}
        }
        let net = |part: &str| {
            let part = part.trim();
            part.parse::<IpNet>().or_else(|_| part.parse::<IpAddr>().map(IpNet::from)).map_err(
                |_| format!("`{part}` is neither a number of proxies nor an address or CIDR"),
            )
        };
        text.split(',').map(net).collect::<Result<_, _>>().map(Self::Nets)
    }
}

/// Finds out where requests come from.
#[derive(Debug)]
pub struct Addresses {
    /// Which proxies are believed.
    pub trusted: TrustedProxies,
    /// In which header.
    pub header: ProxyHeader,
}

impl Addresses {
    /// The address of a request, by the settings of the server if there are any.
    #[must_use]
    pub fn address(
        settings: Option<&Data<Self>>,
        peer: Option<SocketAddr>,
        headers: &HeaderMap,
    ) -> Address {
        let unknown = Address(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
        settings.map_or(unknown, |settings| settings.of(peer, headers))
    }

    /// Where a request comes from.
    #[must_use]
    pub fn of(&self, peer: Option<SocketAddr>, headers: &HeaderMap) -> Address {
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip().to_canonical());
        Address(whole_household(match &self.trusted {
            TrustedProxies::Nobody => peer,
            TrustedProxies::Hops(hops) => {
                self.named(headers).take(*hops).map_while(|named| named).last().unwrap_or(peer)
            }
            TrustedProxies::Nets(nets) => {
                let is_ours = |address: &IpAddr| nets.iter().any(|net| net.contains(address));
                let mut address = peer;
                let mut named = self.named(headers);
                while is_ours(&address) {
                    match named.next().flatten() {
                        Some(before) => address = before,
                        None => break,
                    }
                }
                address
            }
        }))
    }

    /// The addresses that the header names, the nearest first.
    fn named(&self, headers: &HeaderMap) -> impl Iterator<Item = Option<IpAddr>> {
        let name = match self.header {
            ProxyHeader::XForwardedFor => HeaderName::from_static("x-forwarded-for"),
            ProxyHeader::Forwarded => HeaderName::from_static("forwarded"),
        };
        let mut named: Vec<Option<IpAddr>> = headers
            .get_all(name)
            .map(|value| value.to_str().unwrap_or_default())
            .flat_map(|value| value.split(','))
            .map(|element| match self.header {
                ProxyHeader::XForwardedFor => parse(element),
                ProxyHeader::Forwarded => element.split(';').find_map(|pair| {
                    let (key, value) = pair.split_once('=')?;
                    key.trim().eq_ignore_ascii_case("for").then(|| parse(value)).flatten()
                }),
            })
            .collect();
        named.reverse();
        named.into_iter()
    }
}

/// An address as proxies write it: with or without quotes, brackets and port.
fn parse(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    let address = text.parse::<IpAddr>().ok();
    let address = address.or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    let bare = || text.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    address.or_else(bare).map(|address| address.to_canonical())
}

fn whole_household(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
        }
    }
}

impl FromRequest for Address {
    type Error = Infallible;
    type Future = Ready<Result<Self, Infallible>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self::of(request)))
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    fn from(trusted: &str, header: ProxyHeader, peer: &str, lines: &[&'static str]) -> String {
        let addresses = Addresses { trusted: trusted.parse().unwrap(), header };
        let mut headers = HeaderMap::new();
        let name = match header {
            ProxyHeader::XForwardedFor => "x-forwarded-for",
            ProxyHeader::Forwarded => "forwarded",
        };
        for line in lines {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(line));
        }
        addresses.of(Some(peer.parse().unwrap()), &headers).0.to_string()
    }

    #[test]
    fn nobody_is_believed_unless_trusted() {
        let forged = &["203.0.113.9"];
        let header = ProxyHeader::XForwardedFor;
        assert_eq!(from("", header, "192.0.2.1:1", forged), "192.0.2.1");
        assert_eq!(from("0", header, "192.0.2.1:1", forged), "192.0.2.1");
        assert_eq!(from("10.0.0.0/8", header, "192.0.2.1:1", forged), "192.0.2.1");
    }

    #[test]
    fn as_many_hops_are_believed_as_there_are_proxies() {
        let header = ProxyHeader::XForwardedFor;
        let lines = &["203.0.113.66, 198.51.100.7", "10.0.0.2"];
        assert_eq!(from("1", header, "10.0.0.1:1", lines), "10.0.0.2");
        assert_eq!(from("2", header, "10.0.0.1:1", lines), "198.51.100.7");
        assert_eq!(from("9", header, "10.0.0.1:1", lines), "203.0.113.66");
        assert_eq!(from("1", header, "10.0.0.1:1", &[]), "10.0.0.1");
        assert_eq!(from("2", header, "10.0.0.1:1", &["nonsense, 10.0.0.2"]), "10.0.0.2");
    }

    #[test]
    fn proxies_with_trusted_addresses_are_believed() {
        let header = ProxyHeader::XForwardedFor;
        let lines = &["203.0.113.66, 198.51.100.7, 10.0.0.2"];
        let trusted = "10.0.0.0/8, fd00::/8, 192.0.2.1";
        assert_eq!(from(trusted, header, "10.0.0.1:1", lines), "198.51.100.7");
        assert_eq!(from(trusted, header, "[::ffff:10.0.0.1]:1", lines), "198.51.100.7");
        assert_eq!(from(trusted, header, "192.0.2.1:1", &["unknown"]), "192.0.2.1");
        assert!("10.0.0.0/8, elsewhere".parse::<TrustedProxies>().is_err());
    }

    #[test]
    fn the_standard_header_is_read_too_and_a_household_is_one_address() {
        let header = ProxyHeader::Forwarded;
        let lines = &["for=203.0.113.66;proto=https, For=\"[2001:db8:1:2:3::4]:4711\";by=10.0.0.1"];
        assert_eq!(from("1", header, "10.0.0.1:1", lines), "2001:db8:1:2::");
        assert_eq!(from("2", header, "10.0.0.1:1", lines), "203.0.113.66");
        assert_eq!(from("", header, "[2001:db8:1:2:ffff::1]:1", &[]), "2001:db8:1:2::");
    }
}
