import { WANTED } from './readNetLog.ts';

/** Builds made-up NetLogs for tests, in Chromium's layout: the constants in the first line, then one event a line. */
interface NetLogBuilder {
  /** An event of source `id` at `ms` of the tick clock. Name and phase as the folds know them: "HTTP_STREAM_JOB 1". */
  event(nameAndPhase: string, ms: number, id: number, params?: object): NetLogBuilder;
  /** A request (source `id`) begins on a controller (source `id + 1`), which knows of an Alt-Svc or does not. */
  request(id: number, ms: number, url: string, altSvc?: { readonly broken: boolean }): NetLogBuilder;
  /** A job of a request's controller begins. */
  job(id: number, ms: number, of: { readonly request: number; readonly type: JobType }): NetLogBuilder;
  /** The job wins the request and the request is sent. */
  bind(request: number, ms: number, job: number): NetLogBuilder;
  /** Response headers, `bytes` of body, and the end; without `bytes` it ends with `netError`. */
  finish(request: number, ms: number, end: { bytes: number } | { netError: number }): NetLogBuilder;
  /** Unclosed, as a killed browser leaves it. */
  text(): string;
  /** Closed, as a browser that ended leaves it. */
  closedText(): string;
}

type JobType = 'main' | 'alternative' | 'dns_alpn_h3';

/** Unix ms at tick 0 of the made-up logs. */
export const TICK_ZERO_UNIX_MS = 1_790_000_000_000;

export function exampleNetLog(): NetLogBuilder {
  const types = new Map<string, number>();
  const lines: string[] = [];
  const depends = (id: number) => ({ source_dependency: { id, type: 1 } });
  const builder: NetLogBuilder = {
    event(nameAndPhase, ms, id, params) {
      const [name = '', phase] = nameAndPhase.split(' ');
      types.set(name, types.get(name) ?? types.size + 1);
      const source = { id, start_time: '0', type: 1 };
      const event = { phase: Number(phase), source, time: String(ms), type: types.get(name) };
      lines.push(JSON.stringify(params ? { params, ...event } : event));
      return builder;
    },
    request(id, ms, url, altSvc) {
      builder
        .event('URL_REQUEST_START_JOB 1', ms, id, { method: 'GET', url })
        .event('HTTP_STREAM_JOB_CONTROLLER 1', ms, id + 1, { url })
        .event('HTTP_STREAM_JOB_CONTROLLER_BOUND 0', ms, id, depends(id + 1));
      if (!altSvc) return builder;
      const found = { alt_svc: `quic ${url.split('/')[2]}, expires 2026-12-21`, is_broken: altSvc.broken };
      return builder.event('HTTP_STREAM_JOB_CONTROLLER_ALT_SVC_FOUND 0', ms, id + 1, found);
    },
    job: (id, ms, { request, type }) =>
      builder.event('HTTP_STREAM_JOB 1', ms, id, { ...depends(request + 1), type }),
    bind: (request, ms, job) =>
      builder
        .event('HTTP_STREAM_REQUEST_BOUND_TO_JOB 0', ms, request, depends(job))
        .event('HTTP_STREAM_REQUEST 2', ms, request)
        .event('HTTP_STREAM_JOB 2', ms, job)
        .event('HTTP_TRANSACTION_SEND_REQUEST 1', ms, request),
    finish(request, ms, end) {
      if ('netError' in end) {
        const params = { net_error: end.netError };
        return builder.event('FAILED 0', ms, request, params).event('REQUEST_ALIVE 2', ms, request, params);
      }
      return builder
        .event('HTTP_TRANSACTION_READ_HEADERS 2', ms, request)
        .event('URL_REQUEST_JOB_FILTERED_BYTES_READ 0', ms + 5, request, { byte_count: end.bytes })
        .event('HTTP_TRANSACTION_READ_BODY 2', ms + 10, request)
        .event('REQUEST_ALIVE 2', ms + 10, request);
    },
    text: () => `${headOf(types)}${lines.map((line) => `${line},\n`).join('')}`,
    closedText: () =>
      `${headOf(types)}${lines.join(',\n')}],\n"polledData": [{"quicInfo":{"idle_connection_timeout_seconds":30,"retry_without_alt_svc_on_quic_errors":true,"sessions":[]}}]\n}\n`,
  };
  return builder;
}

function headOf(types: ReadonlyMap<string, number>): string {
  const others = [...WANTED].map((name, place) => [name, 1000 + place] as const);
  const constants = {
    // Chromium's table has all its events, also those that did not happen.
    logEventTypes: { ...Object.fromEntries(others), ...Object.fromEntries(types), SOMETHING_ELSE: 900 },
    netError: { ERR_QUIC_PROTOCOL_ERROR: -356, ERR_NAME_NOT_RESOLVED: -105 },
    quicError: { QUIC_NETWORK_IDLE_TIMEOUT: 25, QUIC_TOO_MANY_RTOS: 85 },
    timeTickOffset: TICK_ZERO_UNIX_MS,
  };
  return `{"constants":${JSON.stringify(constants)},\n"events": [\n`;
}

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
    .event('TCP_CONNECT 2', 20, 40, { remote_address: '203.0.113.1:8443' })
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
