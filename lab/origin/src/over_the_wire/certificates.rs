//! Certificates by name, and those that are out of their time.

use super::Origin;
use super::client_tls::Seen;
use super::clients::tls;
use crate::net::tls::Certificates;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A chain and its key in files, and the certificate itself.
fn made(folder: &Path, name: &str, until_year: i32) -> (PathBuf, PathBuf, Vec<u8>) {
    let key = KeyPair::generate().unwrap();
    let mut params = CertificateParams::new([name.to_owned()]).unwrap();
    params.not_before = date_time_ymd(2001, 1, 1);
    params.not_after = date_time_ymd(until_year, 1, 1);
    let certificate = params.self_signed(&key).unwrap();
    let (chain_file, key_file) = (
        folder.join(format!("{name}.pem")),
        folder.join(format!("{name}.key")),
    );
    std::fs::write(&chain_file, certificate.pem()).unwrap();
    std::fs::write(&key_file, key.serialize_pem()).unwrap();
    (chain_file, key_file, certificate.der().to_vec())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_name_has_its_own_and_every_other_the_first() {
    let folder = std::env::temp_dir().join(format!("pitwall-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (one, two) = (made(&folder, "one.test", 2090), made(&folder, "two.test", 2090));
    let files = [&one.0, &one.1, &two.0, &two.1].map(|file| file.to_str().unwrap());
    let flags = ["--certificate", "--key", "--certificate", "--key"];
    let arguments: Vec<&str> = flags
        .into_iter()
        .zip(files)
        .flat_map(|(flag, file)| [flag, file])
        .collect();
    let origin = Origin::start(&[], &arguments);
    for (name, certificate) in [("one.test", &one.2), ("two.test", &two.2), ("three.test", &one.2)] {
        for alpn in ["h2", "http/1.1"] {
            let seen = Arc::<Seen>::default();
            drop(tls(origin.serving.https_port, alpn, name, seen.clone()).await);
            assert_eq!(
                seen.0.lock().unwrap()[0].as_ref(),
                certificate,
                "{name} over {alpn}"
            );
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn one_that_is_out_of_its_time_is_served_with_a_warning() {
    let folder = std::env::temp_dir().join(format!("pitwall-expired-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (old, new) = (made(&folder, "old.test", 2002), made(&folder, "new.test", 2090));
    let pairs = [
        (old.0.as_path(), old.1.as_path()),
        (new.0.as_path(), new.1.as_path()),
    ];
    let (_, warnings) = Certificates::read(&pairs).unwrap();
    let expected = format!(
        "{} was valid until Tue, 01 Jan 2002 00:00:00 GMT: browsers refuse it",
        old.0.display()
    );
    assert_eq!(warnings, [expected]);
    std::fs::remove_dir_all(&folder).unwrap();
}
