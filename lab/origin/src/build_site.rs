//! From the command line to what is served, and by whom.

use crate::arguments::{Arguments, Offer};
use crate::faults::Rules;
use crate::hosts::Hosts;
use crate::line_log::LineLog;
use crate::net::tls::Certificates;
use crate::site::{App, Mount, Site};
use crate::transport::Timeouts;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

pub fn certificates(arguments: &Arguments) -> Result<Certificates, String> {
    if arguments.certificates.is_empty() {
        return Certificates::self_made(&arguments.hosts);
    }
    if arguments.certificates.len() != arguments.keys.len() {
        return Err("each --certificate needs its --key".into());
    }
    let pairs = arguments.certificates.iter().zip(&arguments.keys);
    let pairs: Vec<_> = pairs
        .map(|(chain, key)| (chain.as_path(), key.as_path()))
        .collect();
    let (certificates, warnings) = Certificates::read(&pairs)?;
    for warning in warnings {
        tracing::warn!("{warning}");
    }
    Ok(certificates)
}

pub fn site(arguments: &Arguments, https_port: u16) -> Result<Site, String> {
    let mut mounts: Vec<(String, Mount)> = arguments
        .mounts
        .iter()
        .map(|(prefix, target)| (prefix.clone(), target.clone().into()))
        .collect();
    if let Some(folder) = &arguments.folder {
        mounts.push(("/".into(), Mount::Folder(folder.clone())));
    }
    mounts.sort_by_key(|(prefix, _)| std::cmp::Reverse(prefix.len()));
    let app = arguments.app.clone().map(|folder| App {
        folder,
        policy: arguments.app_policy.clone(),
    });
    let unknown = |prefix: &&String| !mounts.iter().any(|(mounted, _)| mounted == *prefix);
    if let Some(prefix) = arguments.private.iter().find(unknown) {
        return Err(format!("--private {prefix} is the prefix of no mount"));
    }
    Ok(Site {
        hosts: Hosts::new(&arguments.hosts, &arguments.addresses),
        private: arguments.private.clone(),
        mounts,
        app,
        answers: arguments
            .answers
            .as_deref()
            .map_or(Ok(BTreeMap::new()), answers)?,
        h3_port: (arguments.protocols.contains(&Offer::H3) && !arguments.no_alt_svc).then_some(https_port),
        access_log: log(arguments.access_log.as_deref(), arguments.access_log_limit)?,
        faults: arguments.faults.clone().map(Rules::of).transpose()?.map(Arc::new),
        timeouts: Timeouts {
            request: Duration::from_secs(arguments.request_within),
            idle: Duration::from_secs(arguments.idle.into()),
        },
    })
}

fn answers(file: &Path) -> Result<BTreeMap<String, String>, String> {
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    serde_json::from_str(&text)
        .map_err(|error| format!("{} is no JSON object of texts: {error}", file.display()))
}

pub fn log(file: Option<&Path>, limit_bytes: Option<u64>) -> Result<Option<LineLog>, String> {
    file.map(|file| {
        LineLog::open(file, limit_bytes).map_err(|error| format!("cannot write {}: {error}", file.display()))
    })
    .transpose()
}
