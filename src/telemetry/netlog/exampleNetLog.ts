/** Builds made-up NetLogs for tests, in Chromium's layout: the constants in the first line, then one event a line. */
export interface NetLogBuilder {
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
    closedText: () => `${headOf(types)}${lines.join(',\n')}],\n"polledData": [{"quicInfo":{}}]\n}\n`,
  };
  return builder;
}

function headOf(types: ReadonlyMap<string, number>): string {
  const constants = {
    logEventTypes: { ...Object.fromEntries(types), SOMETHING_ELSE: 900 },
    netError: { ERR_QUIC_PROTOCOL_ERROR: -356, ERR_NAME_NOT_RESOLVED: -105 },
    quicError: { QUIC_NETWORK_IDLE_TIMEOUT: 25, QUIC_TOO_MANY_RTOS: 85 },
    timeTickOffset: TICK_ZERO_UNIX_MS,
  };
  return `{"constants":${JSON.stringify(constants)},\n"events": [\n`;
}
