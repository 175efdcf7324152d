//! All connections, and what is reported of them.

use crate::arguments::Arguments;
use crate::first_packets::begin_only;
use crate::progress::{Pace, Total, unix_ms};
use crate::quic;
use crate::session::Session;
use crate::sink::{Answer, Failure, Sink};
use serde_json::json;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

#[derive(Default)]
struct Counts {
    answers: AtomicU64,
    failures: AtomicU64,
}

/// What all connections share.
struct Load {
    arguments: Arguments,
    total: Arc<Total>,
    counts: Counts,
    until: Instant,
}

pub async fn run(arguments: Arguments) -> Result<(), String> {
    if arguments.half_open {
        return begin_all(&arguments).map_err(|error| error.to_string());
    }
    let seconds = Duration::try_from_secs_f64(arguments.seconds).map_err(|error| error.to_string())?;
    let load = Arc::new(Load {
        until: Instant::now() + seconds,
        arguments,
        total: Arc::default(),
        counts: Counts::default(),
    });
    let progress = tokio::spawn(tell_progress(load.clone()));
    let connections: Vec<_> = (0..load.arguments.connections)
        .map(|number| tokio::spawn(one_connection(load.clone(), number)))
        .collect();
    for connection in connections {
        connection.await.map_err(|error| error.to_string())?;
    }
    progress.abort();
    tell(&json!({
        "kind": "end",
        "atUnixMs": unix_ms(),
        "bytes": load.total.bytes(),
        "answers": load.counts.answers.load(Ordering::Relaxed),
        "failures": load.counts.failures.load(Ordering::Relaxed),
        "cpuSeconds": cpu_seconds(),
    }));
    Ok(())
}

/// Begins every handshake, one after the other.
fn begin_all(arguments: &Arguments) -> Result<(), Failure> {
    let config = quic::config(arguments)?;
    for _ in 0..arguments.connections {
        begin_only(&config, arguments.address, &arguments.host)?;
    }
    tell(&json!({
        "kind": "end",
        "atUnixMs": unix_ms(),
        "bytes": 0,
        "answers": 0,
        "failures": 0,
        "cpuSeconds": cpu_seconds(),
    }));
    Ok(())
}

async fn tell_progress(load: Arc<Load>) {
    let mut ticks = tokio::time::interval(Duration::from_millis(load.arguments.progress_ms.max(1)));
    loop {
        ticks.tick().await;
        tell(&json!({ "kind": "progress", "atUnixMs": unix_ms(), "bytes": load.total.bytes() }));
    }
}

/// Opens, asks until nothing is left to ask or no time, closes.
async fn one_connection(load: Arc<Load>, number: u32) {
    let opening_at = unix_ms();
    let session = tokio::select! {
        opened = Session::open(&load.arguments) => opened,
        () = sleep_until(load.until) => Err("it was not open when the time was over".into()),
    };
    let mut session = match session {
        Ok(session) => session,
        Err(error) => return fails(&load, number, &error),
    };
    let opened_at = unix_ms();
    tell(
        &json!({ "kind": "opened", "connection": number, "openingAtUnixMs": opening_at, "atUnixMs": opened_at }),
    );
    let mut sink = Sink {
        total: load.total.clone(),
        pace: Pace::new(load.arguments.read_kbps),
        answer: Answer::default(),
    };
    for request in 0..load.arguments.requests.unwrap_or(u32::MAX) {
        sink.answer = Answer::default();
        let asked_at = unix_ms();
        let asked = tokio::select! {
            answered = session.ask(&load.arguments, &mut sink) => Some(answered),
            () = sleep_until(load.until) => None,
        };
        match asked {
            Some(Err(error)) => fails(&load, number, &error),
            Some(Ok(())) if sink.answer.status != 200 || !sink.answer.is_whole => {
                let what = format!("status {}, {} bytes", sink.answer.status, sink.answer.bytes);
                fails(&load, number, &what.into());
            }
            _ => {
                load.counts.answers.fetch_add(1, Ordering::Relaxed);
                tell_answer((number, request), asked_at, &sink.answer);
                if asked.is_some() {
                    continue;
                }
            }
        }
        break;
    }
    session.close().await;
}

fn tell_answer((connection, request): (u32, u32), asked_at: f64, answer: &Answer) {
    tell(&json!({
        "kind": "answer",
        "connection": connection,
        "request": request,
        "askedAtUnixMs": asked_at,
        "headersAtUnixMs": answer.headers_at_unix_ms,
        "firstBodyAtUnixMs": answer.first_body_at_unix_ms,
        "atUnixMs": unix_ms(),
        "status": answer.status,
        "bytes": answer.bytes,
        "isWhole": answer.is_whole,
        "serverTiming": answer.server_timing,
    }));
}

fn fails(load: &Load, connection: u32, error: &Failure) {
    load.counts.failures.fetch_add(1, Ordering::Relaxed);
    tell(
        &json!({ "kind": "failure", "connection": connection, "atUnixMs": unix_ms(), "why": error.to_string() }),
    );
}

/// Writes whole lines, also from several threads. Errors are ignored: nobody reads any more.
fn tell(line: &serde_json::Value) {
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}

/// Processor time of this process, in user space and in the kernel.
#[cfg(unix)]
fn cpu_seconds() -> Option<f64> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the kernel fills in the whole of it when it answers 0.
    let usage = unsafe {
        if libc::getrusage(libc::RUSAGE_SELF, usage.as_mut_ptr()) != 0 {
            return None;
        }
        usage.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    Some(seconds(usage.ru_utime) + seconds(usage.ru_stime))
}

#[cfg(not(unix))]
fn cpu_seconds() -> Option<f64> {
    None
}
