//! Certificates by name (SNI), tickets, and 0-RTT.

use rcgen::{CertificateParams, KeyPair};
use rustls::crypto::ring::{self, sign::any_supported_type};
use rustls::pki_types::{
    CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime, pem::PemObject,
};
use rustls::server::{ClientHello, ResolvesServerCert, ServerConfig, ServerSessionMemoryCache};
use rustls::sign::CertifiedKey;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// Sessions that can be taken up with 0-RTT at a time.
const KEPT_SESSIONS: usize = 10_000;

/// Gives each asked name the first certificate that is valid for it, and every other the first of all.
#[derive(Debug)]
pub struct Certificates(Vec<Arc<CertifiedKey>>);

impl Certificates {
    /// Reads pairs of PEM files: a chain, its private key. At least one. A sentence for each certificate that clients
    /// refuse because of its time: whoever wants to see just that can.
    pub fn read(pairs: &[(&Path, &Path)]) -> Result<(Certificates, Vec<String>), String> {
        let (mut read, mut warnings) = (Vec::new(), Vec::new());
        for (chain_file, key_file) in pairs {
            let pair = read_pair(chain_file, key_file)?;
            let out_of_time = pair.cert.first().and_then(out_of_time);
            warnings.extend(out_of_time.map(|why| format!("{} {why}", chain_file.display())));
            read.push(Arc::new(pair));
        }
        Ok((Certificates(read), warnings))
    }

    /// A throw-away one for `names`.
    pub fn self_made(names: &[String]) -> Result<Certificates, String> {
        let made = || {
            let key = KeyPair::generate()?;
            Ok::<_, rcgen::Error>((
                CertificateParams::new(names)?.self_signed(&key)?.der().clone(),
                key.serialize_der(),
            ))
        };
        let (certificate, key) = made()
            .map_err(|error| format!("no certificate can be made for {}: {error}", names.join(", ")))?;
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(key));
        let key = any_supported_type(&key).map_err(|error| error.to_string())?;
        Ok(Certificates(vec![Arc::new(CertifiedKey::new(
            vec![certificate],
            key,
        ))]))
    }
}

fn read_pair(chain_file: &Path, key_file: &Path) -> Result<CertifiedKey, String> {
    let unreadable = |file: &Path, error: &dyn std::fmt::Display| {
        format!("{} is no PEM file that can be used: {error}", file.display())
    };
    let chain = CertificateDer::pem_file_iter(chain_file)
        .and_then(Iterator::collect::<Result<Vec<_>, _>>)
        .map_err(|error| unreadable(chain_file, &error))?;
    if chain.is_empty() {
        return Err(format!("{} has no certificate", chain_file.display()));
    }
    let key = PrivateKeyDer::from_pem_file(key_file).map_err(|error| unreadable(key_file, &error))?;
    let key = any_supported_type(&key).map_err(|error| unreadable(key_file, &error))?;
    let pair = CertifiedKey::new(chain, key);
    match pair.keys_match() {
        Err(rustls::Error::InconsistentKeys(rustls::InconsistentKeys::KeyMismatch)) => Err(format!(
            "{} is not the key of {}",
            key_file.display(),
            chain_file.display()
        )),
        _ => Ok(pair),
    }
}

/// Why clients refuse a certificate today, if its time is the reason. Whether it is trusted is their business: no chain
/// is looked for, and the time is what is looked at first.
fn out_of_time(certificate: &CertificateDer<'_>) -> Option<String> {
    let date = |time: UnixTime| httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(time.as_secs()));
    let parsed = webpki::EndEntityCert::try_from(certificate).ok()?;
    let usage = webpki::KeyUsage::server_auth();
    match parsed
        .verify_for_usage(&[], &[], &[], UnixTime::now(), usage, None, None)
        .err()?
    {
        webpki::Error::CertExpired { not_after, .. } => {
            Some(format!("was valid until {}: browsers refuse it", date(not_after)))
        }
        webpki::Error::CertNotValidYet { not_before, .. } => Some(format!(
            "is not valid before {}: browsers refuse it",
            date(not_before)
        )),
        _ => None,
    }
}

impl ResolvesServerCert for Certificates {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        let named = hello
            .server_name()
            .and_then(|name| self.0.iter().find(|pair| is_valid_for(pair, name)));
        named.or(self.0.first()).cloned()
    }
}

fn is_valid_for(pair: &CertifiedKey, name: &str) -> bool {
    let (Ok(name), Some(certificate)) = (ServerName::try_from(name), pair.cert.first()) else {
        return false;
    };
    webpki::EndEntityCert::try_from(certificate)
        .is_ok_and(|parsed| parsed.verify_is_valid_for_subject_name(&name).is_ok())
}

/// For h1 and h2 over TCP: what is offered is named by ALPN; sessions go on with tickets.
pub fn tcp_config(certificates: Arc<Certificates>, offered: &[&str]) -> Result<ServerConfig, rustls::Error> {
    let mut config = base(certificates, &[&rustls::version::TLS13, &rustls::version::TLS12])?;
    config.ticketer = ring::Ticketer::new()?;
    config.alpn_protocols = offered.iter().map(|name| name.as_bytes().to_vec()).collect();
    Ok(config)
}

/// For h3. With 0-RTT, sessions are kept here instead of in tickets: rustls takes early data once per session only, so
/// that it cannot be replayed (RFC 8446 §8.1).
pub fn quic_config(certificates: Arc<Certificates>, zero_rtt: bool) -> Result<ServerConfig, rustls::Error> {
    let mut config = base(certificates, &[&rustls::version::TLS13])?;
    config.alpn_protocols = vec![b"h3".to_vec()];
    if zero_rtt {
        config.session_storage = ServerSessionMemoryCache::new(KEPT_SESSIONS);
        // QUIC has this one value for "yes" (RFC 9001 §4.6.1).
        config.max_early_data_size = u32::MAX;
    } else {
        config.ticketer = ring::Ticketer::new()?;
    }
    Ok(config)
}

fn base(
    certificates: Arc<Certificates>,
    versions: &[&'static rustls::SupportedProtocolVersion],
) -> Result<ServerConfig, rustls::Error> {
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(versions)?;
    Ok(builder.with_no_client_auth().with_cert_resolver(certificates))
}
