//! TCP_INFO and TCP_CONGESTION of a socket (Linux: include/uapi/linux/tcp.h). Other systems tell nothing here.

use super::sample::Sample;

#[cfg(not(target_os = "linux"))]
pub fn tcp_sample(_descriptor: i32) -> Option<Sample> {
    None
}

#[cfg(target_os = "linux")]
pub fn tcp_sample(descriptor: i32) -> Option<Sample> {
    let mut info = TcpInfo::default();
    let size = option(descriptor, libc::TCP_INFO, &mut info)?;
    // Older kernels fill in less.
    let has_delivery = size >= std::mem::offset_of!(TcpInfo, busy_time_us);
    Some(sample(&info, has_delivery, controller(descriptor)))
}

/// What the kernel holds and has not sent yet.
#[cfg(target_os = "linux")]
pub fn tcp_unsent_bytes(descriptor: i32) -> Option<u32> {
    let mut info = TcpInfo::default();
    let size = option(descriptor, libc::TCP_INFO, &mut info)?;
    (size >= std::mem::offset_of!(TcpInfo, min_rtt_us)).then_some(info.notsent_bytes)
}

#[cfg(not(target_os = "linux"))]
pub fn tcp_unsent_bytes(_descriptor: i32) -> Option<u32> {
    None
}

/// Payload of one segment, without TCP's options (TCP_MAXSEG).
#[cfg(target_os = "linux")]
pub fn tcp_segment_bytes(descriptor: i32) -> Option<usize> {
    let mut bytes: libc::c_int = 0;
    option(descriptor, libc::TCP_MAXSEG, &mut bytes)?;
    usize::try_from(bytes).ok()
}

#[cfg(not(target_os = "linux"))]
pub fn tcp_segment_bytes(_descriptor: i32) -> Option<usize> {
    None
}

#[cfg(target_os = "linux")]
fn sample(info: &TcpInfo, has_delivery: bool, controller: Option<String>) -> Sample {
    let ms = |microseconds: u32| (microseconds > 0).then(|| f64::from(microseconds) / 1000.0);
    let bytes = |packets: u32| u64::from(packets) * u64::from(info.snd_mss);
    // tcp_packets_in_flight() of the kernel: not yet acknowledged, less what is known to have left the network.
    let in_flight = (info.unacked + info.retrans).saturating_sub(info.sacked + info.lost);
    let has_rate = has_delivery && info.delivery_rate_bytes_per_s > 0;
    Sample {
        rtt_ms: ms(info.rtt_us),
        min_rtt_ms: has_delivery
            .then_some(info.min_rtt_us)
            .filter(|&least| least != u32::MAX)
            .and_then(ms),
        rtt_var_ms: ms(info.rtt_us).and(Some(f64::from(info.rttvar_us) / 1000.0)),
        cwnd_bytes: Some(bytes(info.snd_cwnd)),
        in_flight_bytes: Some(bytes(in_flight)),
        lost_packets: None,
        retransmitted_packets: Some(info.total_retrans.into()),
        sent_packets: has_delivery.then_some(info.data_segs_out.into()),
        delivery_rate_kbps: has_rate.then(|| info.delivery_rate_bytes_per_s as f64 * 8.0 / 1000.0),
        app_limited: has_rate.then_some(info.flags[1] & 1 == 1),
        controller,
    }
}

#[cfg(target_os = "linux")]
fn controller(descriptor: i32) -> Option<String> {
    let mut name = [0u8; 16];
    let size = option(descriptor, libc::TCP_CONGESTION, &mut name)?;
    let name = name[..size].split(|&byte| byte == 0).next()?;
    String::from_utf8(name.to_vec()).ok()
}

/// Reads an option of level TCP into `value`; how many bytes the kernel wrote, None where it refused.
#[cfg(target_os = "linux")]
fn option<T>(descriptor: i32, name: i32, value: &mut T) -> Option<usize> {
    let mut size = std::mem::size_of::<T>() as libc::socklen_t;
    // SAFETY: `value` is plain data of `size` bytes, and the kernel writes no more than that.
    let failed = unsafe {
        libc::getsockopt(
            descriptor,
            libc::IPPROTO_TCP,
            name,
            std::ptr::from_mut(value).cast(),
            &mut size,
        )
    };
    (failed == 0).then_some(size as usize)
}

/// struct tcp_info up to the delivery rate, in the kernel's order. Times are microseconds where the name says so.
#[cfg(target_os = "linux")]
#[repr(C)]
#[derive(Default)]
struct TcpInfo {
    state: u8,
    ca_state: u8,
    retransmits: u8,
    probes: u8,
    backoff: u8,
    options: u8,
    /// Two window scales of four bits; then one bit: the delivery rate is limited by the application.
    flags: [u8; 2],
    rto_us: u32,
    ato_us: u32,
    snd_mss: u32,
    rcv_mss: u32,
    unacked: u32,
    sacked: u32,
    lost: u32,
    retrans: u32,
    fackets: u32,
    last_data_sent_ms: u32,
    last_ack_sent_ms: u32,
    last_data_recv_ms: u32,
    last_ack_recv_ms: u32,
    pmtu: u32,
    rcv_ssthresh: u32,
    rtt_us: u32,
    rttvar_us: u32,
    snd_ssthresh: u32,
    snd_cwnd: u32,
    advmss: u32,
    reordering: u32,
    rcv_rtt_us: u32,
    rcv_space: u32,
    total_retrans: u32,
    pacing_rate: u64,
    max_pacing_rate: u64,
    bytes_acked: u64,
    bytes_received: u64,
    segs_out: u32,
    segs_in: u32,
    notsent_bytes: u32,
    min_rtt_us: u32,
    data_segs_in: u32,
    data_segs_out: u32,
    delivery_rate_bytes_per_s: u64,
    busy_time_us: u64,
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};
    use std::os::fd::AsRawFd;

    #[test]
    fn reads_a_socket_that_has_sent() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        server.write_all(&[7; 200_000]).unwrap();
        client.read_exact(&mut vec![0; 200_000]).unwrap();
        let sample = tcp_sample(server.as_raw_fd()).unwrap();
        let rtt_ms = sample.rtt_ms.unwrap();
        assert!(rtt_ms > 0.0 && rtt_ms < 1000.0, "{rtt_ms} ms over loopback");
        assert!(sample.min_rtt_ms.unwrap() <= rtt_ms * 2.0);
        assert!(sample.cwnd_bytes.unwrap() > 10_000);
        assert!(sample.sent_packets.unwrap() >= 1);
        assert_eq!(sample.retransmitted_packets, Some(0));
        assert!(sample.delivery_rate_kbps.unwrap() > 1000.0);
        let available =
            std::fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control").unwrap();
        assert!(
            available
                .split_whitespace()
                .any(|name| name == sample.controller.as_deref().unwrap())
        );
    }

    #[test]
    fn a_descriptor_that_is_no_socket_tells_nothing() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(tcp_sample(file.as_raw_fd()), None);
    }

    #[test]
    fn what_was_not_measured_is_unknown() {
        let info = TcpInfo {
            min_rtt_us: u32::MAX,
            snd_cwnd: 10,
            snd_mss: 1448,
            unacked: 5,
            sacked: 2,
            lost: 1,
            retrans: 1,
            ..TcpInfo::default()
        };
        let sample = sample(&info, true, None);
        assert_eq!(
            (sample.rtt_ms, sample.min_rtt_ms, sample.rtt_var_ms),
            (None, None, None)
        );
        assert_eq!((sample.delivery_rate_kbps, sample.app_limited), (None, None));
        assert_eq!(
            (sample.cwnd_bytes, sample.in_flight_bytes),
            (Some(14_480), Some(3 * 1448))
        );
    }
}
