//! The state of one connection at one moment.

use serde::Serialize;

/// Unknown is None: what a transport does not measure, or has not measured yet.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Sample {
    /// Smoothed (RFC 6298, RFC 9002 §5.3).
    pub rtt_ms: Option<f64>,
    pub min_rtt_ms: Option<f64>,
    /// The mean deviation of RFC 6298.
    pub rtt_var_ms: Option<f64>,
    pub cwnd_bytes: Option<u64>,
    pub in_flight_bytes: Option<u64>,
    /// Packets that QUIC declared lost so far. TCP keeps no such sum.
    pub lost_packets: Option<u64>,
    /// Segments that TCP sent again so far. QUIC sends no packet twice.
    pub retransmitted_packets: Option<u64>,
    pub sent_packets: Option<u64>,
    /// Newest sample of draft-cheng-iccrg-delivery-rate-estimation: how fast the path took what was sent.
    pub delivery_rate_kbps: Option<f64>,
    /// The newest rate was held down by the application, not by the path.
    pub app_limited: Option<bool>,
    pub controller: Option<String>,
}
