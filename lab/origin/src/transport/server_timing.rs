//! A sample as response headers: Server-Timing (W3C) and CMSD-Dynamic (CTA-5006).

use super::sample::Sample;

/// For example `rtt;dur=101.2, cwnd;desc="48000", controller;desc="cubic"`. What is unknown is absent.
pub fn server_timing(connection: u64, sample: &Sample) -> String {
    let duration = |name: &str, ms: Option<f64>| ms.map(|ms| format!("{name};dur={}", rounded(ms)));
    let number = |name: &str, value: Option<u64>| value.map(|value| described(name, &value.to_string()));
    let rate = sample.delivery_rate_kbps.map(|kbps| kbps.round() as u64);
    [
        duration("rtt", sample.rtt_ms),
        duration("min-rtt", sample.min_rtt_ms),
        duration("rtt-var", sample.rtt_var_ms),
        number("cwnd", sample.cwnd_bytes),
        number("in-flight", sample.in_flight_bytes),
        number("lost", sample.lost_packets),
        number("retransmitted", sample.retransmitted_packets),
        number("delivery-rate", rate),
        number("connection", Some(connection)),
        sample
            .controller
            .as_ref()
            .map(|name| described("controller", name)),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

/// The dynamic keys that a server knows before it sends (CTA-5006 table 2): `rtt` in ms, and `etp`, the estimated
/// throughput in kbit/s, which the standard's own example makes of window and RTT. None before the first round trip.
pub fn cmsd_dynamic(sample: &Sample) -> Option<String> {
    let rtt_ms = sample.rtt_ms?;
    let throughput = sample
        .cwnd_bytes
        .map(|bytes| (bytes as f64 * 8.0 / rtt_ms).round() as u64);
    let etp = throughput.map_or(String::new(), |kbps| format!(";etp={kbps}"));
    Some(format!("\"pitwall-origin\"{etp};rtt={}", rtt_ms.round() as u64))
}

fn described(name: &str, value: &str) -> String {
    format!("{name};desc=\"{value}\"")
}

fn rounded(ms: f64) -> f64 {
    (ms * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_is_known() {
        let sample = Sample {
            rtt_ms: Some(101.2344),
            cwnd_bytes: Some(48_000),
            delivery_rate_kbps: Some(4827.4),
            controller: Some("cubic".into()),
            ..Sample::default()
        };
        assert_eq!(
            server_timing(17, &sample),
            "rtt;dur=101.234, cwnd;desc=\"48000\", delivery-rate;desc=\"4827\", connection;desc=\"17\", controller;desc=\"cubic\""
        );
        assert_eq!(
            cmsd_dynamic(&sample).unwrap(),
            "\"pitwall-origin\";etp=3793;rtt=101"
        );
    }

    #[test]
    fn says_nothing_of_what_is_unknown() {
        assert_eq!(server_timing(1, &Sample::default()), "connection;desc=\"1\"");
        assert_eq!(cmsd_dynamic(&Sample::default()), None);
    }
}
