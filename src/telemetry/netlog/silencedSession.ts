import { exampleNetLog, type NetLogBuilder } from './exampleNetLog.ts';

const ORIGIN = 'https://origin.test:8443';
const session = (id: number) => ({ source_dependency: { id, type: 13 } });

/**
 * A made-up session in which UDP falls silent, in the order in which Chromium 156 logs it: discovery on h2, a main job
 * that wins while QUIC connects, h3 on the session, a body that dies with it, a restart that races again, broken.
 */
export function silencedSession(): NetLogBuilder {
  const log = exampleNetLog();
  log
    .event('TCP_CONNECT 1', 0, 40)
    .event('TCP_CONNECT 2', 20, 40, { remote_address: '10.0.0.2:8443' })
    .event('SSL_CONNECT 1', 20, 40)
    .event('SSL_CONNECT 2', 45, 40, { is_resumed: false, next_proto: 'h2' })
    .event('HTTP2_SESSION_INITIALIZED 0', 45, 41, { source_dependency: { id: 40, type: 10 } })
    .request(100, 0, `${ORIGIN}/manifest.mpd`)
    .job(110, 0, { request: 100, type: 'dns_alpn_h3' })
    .job(111, 0, { request: 100, type: 'main' })
    .event('HTTP_STREAM_JOB 2', 1, 110)
    .event('SOCKET_POOL_BOUND_TO_SOCKET 0', 45, 111, { source_dependency: { id: 40, type: 10 } })
    .bind(100, 45, 111)
    .finish(100, 60, { bytes: 4000 });
  log
    .request(200, 100, `${ORIGIN}/init.mp4`, { broken: false })
    .job(210, 100, { request: 200, type: 'alternative' })
    .event('QUIC_SESSION 1', 100, 50, { host: 'origin.test', port: 8443 })
    .event('QUIC_SESSION_PACKET_SENT 0', 100, 50, { encryption_level: 'ENCRYPTION_INITIAL' })
    .job(211, 100, { request: 200, type: 'main' })
    .event('HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION 0', 101, 211, {
      source_dependency: { id: 41, type: 11 },
    })
    .bind(200, 102, 211)
    .event('HTTP_STREAM_JOB_ORPHANED 0', 102, 210)
    .finish(200, 120, { bytes: 800 })
    .event('QUIC_SESSION_PACKET_RECEIVED 0', 130, 50)
    .event('QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE 0', 131, 50)
    .event('QUIC_SESSION_ZERO_RTT_STATE 0', 131, 50, { state: 'NotAttempted' })
    .event('HTTP_STREAM_JOB 2', 133, 210);
  log
    .request(300, 200, `${ORIGIN}/1.m4s`, { broken: false })
    .job(310, 200, { request: 300, type: 'alternative' })
    .event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', 200, 310, session(50))
    .job(311, 200, { request: 300, type: 'main' })
    .bind(300, 201, 310)
    .event('HTTP_STREAM_JOB 2', 201, 311)
    .event('HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0', 201, 300, session(50))
    .event('HTTP_TRANSACTION_READ_HEADERS 2', 240, 300)
    .event('URL_REQUEST_JOB_FILTERED_BYTES_READ 0', 250, 300, { byte_count: 700 })
    .event('HTTP_TRANSACTION_READ_BODY 2', 250, 300)
    .event('QUIC_SESSION_PACKET_LOST 0', 260, 50);
  return silence(log);
}

function silence(log: NetLogBuilder): NetLogBuilder {
  const closed = { details: 'Network blackhole detected', from_peer: false, quic_error: 85 };
  return log
    .request(400, 300, `${ORIGIN}/2.m4s`, { broken: false })
    .job(410, 300, { request: 400, type: 'alternative' })
    .event('QUIC_SESSION_POOL_USE_EXISTING_SESSION 0', 300, 410, session(50))
    .bind(400, 301, 410)
    .event('HTTP_STREAM_REQUEST_BOUND_TO_QUIC_SESSION 0', 301, 400, session(50))
    .event('QUIC_SESSION_CLOSED 0', 6300, 50, closed)
    .event('QUIC_SESSION_CLOSED 0', 6301, 50, closed)
    .finish(300, 6301, { netError: -356 })
    .event('HTTP_TRANSACTION_RESTART_AFTER_ERROR 0', 6301, 400, { net_error: -356 })
    .event('HTTP_TRANSACTION_READ_HEADERS 2', 6301, 400)
    .event('HTTP_STREAM_JOB_CONTROLLER 1', 6301, 402)
    .event('HTTP_STREAM_JOB_CONTROLLER_BOUND 0', 6301, 400, { source_dependency: { id: 402, type: 32 } })
    .event('HTTP_STREAM_JOB 1', 6301, 411, { source_dependency: { id: 402, type: 32 }, type: 'main' })
    .event('HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION 0', 6301, 411, {
      source_dependency: { id: 41, type: 11 },
    })
    .event('QUIC_SESSION 2', 6301, 50)
    .bind(400, 6302, 411)
    .finish(400, 6320, { bytes: 900 })
    .request(500, 6400, `${ORIGIN}/3.m4s`, { broken: true })
    .job(510, 6400, { request: 500, type: 'main' })
    .event('HTTP2_SESSION_POOL_FOUND_EXISTING_SESSION 0', 6400, 510, {
      source_dependency: { id: 41, type: 11 },
    })
    .bind(500, 6400, 510)
    .finish(500, 6420, { bytes: 900 });
}
