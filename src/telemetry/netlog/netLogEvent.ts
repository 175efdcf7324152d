/** One event of a NetLog, with Chromium's own name and a Unix time. */
export interface NetLogEvent {
  readonly name: string;
  /** 0 a moment, 1 the begin, 2 the end of something (net/log/net_log_event_phase.h). */
  readonly phase: 0 | 1 | 2;
  /** What it is about: a request, a job, a socket. Unique in a file. */
  readonly sourceId: number;
  /** Unix ms; NetLog counts whole milliseconds. */
  readonly unixMs: number;
  readonly params: Params;
}

export type Params = Readonly<Record<string, unknown>>;

export const numberIn = (params: Params, key: string): number | null =>
  typeof params[key] === 'number' ? params[key] : null;
export const textIn = (params: Params, key: string): string | null =>
  typeof params[key] === 'string' ? params[key] : null;

/** The other source that an event names in `source_dependency`. */
export const dependencyIn = (params: Params): number | null =>
  numberIn((params['source_dependency'] ?? {}) as Params, 'id');

/** Chromium's net errors are negative (net/base/net_error_list.h). */
export function netErrorIn(params: Params): number | null {
  const error = numberIn(params, 'net_error');
  return error !== null && Number.isInteger(error) && error < 0 && error > -1000 ? error : null;
}
