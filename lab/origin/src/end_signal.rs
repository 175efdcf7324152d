//! The signal that ends the process.

/// Resolves with the first signal that ends the process.
#[cfg(unix)]
pub async fn end_signal() {
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
pub async fn end_signal() {
    let _ = tokio::signal::ctrl_c().await;
}
