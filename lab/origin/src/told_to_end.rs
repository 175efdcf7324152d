//! When the process shall end.

/// Settles with the first signal that asks for it.
#[cfg(unix)]
pub async fn told_to_end() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut interrupt)) =
        (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
    else {
        return std::future::pending().await;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

#[cfg(not(unix))]
pub async fn told_to_end() {
    let _ = tokio::signal::ctrl_c().await;
}
