//! How much the kernel takes from us before it can send it.

/// What lies there goes out before a more urgent response that comes later; a wake-up costs microseconds.
#[cfg(target_os = "linux")]
const MAX_UNSENT_BYTES: libc::c_int = 128 * 1024;

/// TCP_NOTSENT_LOWAT (include/uapi/linux/tcp.h). What is on its way to the client is not counted.
#[cfg(target_os = "linux")]
pub fn limit_unsent(descriptor: i32) {
    // SAFETY: the kernel reads one int; a refusal leaves the socket as it was.
    unsafe {
        libc::setsockopt(
            descriptor,
            libc::IPPROTO_TCP,
            libc::TCP_NOTSENT_LOWAT,
            std::ptr::from_ref(&MAX_UNSENT_BYTES).cast(),
            std::mem::size_of_val(&MAX_UNSENT_BYTES) as libc::socklen_t,
        );
    }
}

#[cfg(not(target_os = "linux"))]
pub fn limit_unsent(_descriptor: i32) {}
