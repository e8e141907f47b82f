//! Who may ask. The server listens on loopback, where every program and every open web page of this machine can reach it:
//! a request must name the server as its host (against names that lead here by DNS), must not come from another site,
//! and needs the cookie that only the token in the printed address buys.

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::failure::{Failure, Kind, Problem};

/// What the pages may do: run their own scripts, draw, and ask this server; nothing else.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Bytes of a secret.
const SECRET_BYTES: usize = 32;

/// Where data is, as the beginning of a path: nobody gets it without the cookie.
const DATA: &str = "/api/";
/// Where a token is exchanged for the cookie.
pub const SESSION: &str = "/api/session";

/// The secrets of one run of the server, and where it listens.
#[derive(Clone, Debug)]
pub struct Guard {
    address: SocketAddr,
    token: String,
    cookie: String,
}

impl Guard {
    /// A guard with fresh secrets for a server at this address.
    ///
    /// # Errors
    /// [`Failure`] if the system gives no randomness.
    pub fn fresh(address: SocketAddr) -> Result<Self, Failure> {
        Ok(Self { address, token: secret()?, cookie: secret()? })
    }

    /// The address of the first page, with the token behind `#`: a browser keeps that part to itself.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}/#{}", self.address, self.token)
    }

    /// Where the server listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// The cookie that a token buys; `None` for a wrong one.
    #[must_use]
    pub fn admit(&self, token: &str) -> Option<String> {
        // Cookies are shared by all ports of a host: the name says whose it is.
        same(token, &self.token)
            .then(|| format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.cookie))
    }

    fn cookie_name(&self) -> String {
        format!("chakart-{}", self.address.port())
    }

    fn hosts(&self) -> [String; 2] {
        [self.address.to_string(), format!("localhost:{}", self.address.port())]
    }

    /// Whether a request comes from a page of this server or from the address bar, and to this server by its name.
    fn is_at_home(&self, method: &Method, headers: &HeaderMap) -> bool {
        let Some(host) =
            only(headers, header::HOST).filter(|host| self.hosts().iter().any(|own| own == host))
        else {
            return false;
        };
        let reads = method == Method::GET || method == Method::HEAD;
        match only(headers, header::ORIGIN) {
            Some(origin) => origin.strip_prefix("http://") == Some(host),
            // A browser names the origin of everything that changes something.
            None => reads && !headers.contains_key(header::ORIGIN),
        }
    }

    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
        cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .any(|(key, value)| key == name && same(value, &self.cookie))
    }
}

/// Lets a request pass, or answers it with nothing.
pub async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let (method, headers, path) = (request.method(), request.headers(), request.uri().path());
    let answer = if !guard.is_at_home(method, headers) {
        StatusCode::FORBIDDEN.into_response()
    } else if path.starts_with(DATA) && path != SESSION && !guard.has_cookie(headers) {
        StatusCode::UNAUTHORIZED.into_response()
    } else {
        next.run(request).await
    };
    guarded(answer)
}

fn guarded(mut answer: Response) -> Response {
    let headers = answer.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        // Nothing of a game is left in a cache, and a page is never older than the program.
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    answer
}

/// The text of a header that is there once.
fn only(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).into_iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// Whether two secrets are the same; how long that takes says nothing of how much of them is.
fn same(given: &str, secret: &str) -> bool {
    Sha256::digest(given) == Sha256::digest(secret)
}

fn secret() -> Result<String, Failure> {
    let mut bytes = [0; SECRET_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| Problem::new(Kind::Identity, format!("no randomness: {error}")))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> Guard {
        Guard::fresh(SocketAddr::from(([127, 0, 0, 1], 4100))).expect("randomness")
    }

    fn headers(pairs: &[(header::HeaderName, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.clone(), value.parse().expect("a value"))).collect()
    }

    #[test]
    fn only_the_own_host_and_origin_are_at_home() {
        let guard = guard();
        let host = "127.0.0.1:4100";
        let from = |host: &str, origin: &str| {
            let both = headers(&[(header::HOST, host), (header::ORIGIN, origin)]);
            guard.is_at_home(&Method::POST, &both)
        };
        assert!(from(host, "http://127.0.0.1:4100") && from("localhost:4100", "http://localhost:4100"));
        for origin in ["null", "http://127.0.0.1:4101", "https://127.0.0.1:4100", "http://localhost:4100", ""]
        {
            assert!(!from(host, origin), "{origin}");
        }
        for host in ["127.0.0.1", "127.0.0.1:41000", "friend.example:4100", ""] {
            assert!(!from(host, &format!("http://{host}")), "{host}");
        }
        let bare = headers(&[(header::HOST, host)]);
        assert!(guard.is_at_home(&Method::GET, &bare) && !guard.is_at_home(&Method::POST, &bare));
        assert!(!guard.is_at_home(&Method::GET, &HeaderMap::new()));
    }

    #[test]
    fn the_token_buys_a_cookie_and_nothing_else_does() {
        let guard = guard();
        let token = guard.url().split_once('#').map(|(_, token)| token.to_owned()).expect("a fragment");
        let bought = guard.admit(&token).expect("the right token");
        let value = bought.split(';').next().expect("name and value");
        assert!(guard.has_cookie(&headers(&[(header::COOKIE, &format!("a=b; {value}"))])));
        assert!(!guard.has_cookie(&headers(&[(header::COOKIE, "chakart-4100=")])));
        assert_eq!((guard.admit(""), guard.admit(&token[1..])), (None, None));
        assert!(!bought.contains(&token));
    }
}
