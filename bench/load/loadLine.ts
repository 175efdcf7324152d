/** What `pitwall-load` (lab/origin/src/bin) prints: JSON lines. Times are wall clock, as in the origin's logs. */
export type LoadLine = Opened | Answer | Failure | Progress | End;

export interface Opened {
  readonly kind: 'opened';
  readonly connection: number;
  readonly openingAtUnixMs: number;
  /** Handshake done. */
  readonly atUnixMs: number;
}

export interface Answer {
  readonly kind: 'answer';
  readonly connection: number;
  /** Counted from 0 on each connection. */
  readonly request: number;
  readonly askedAtUnixMs: number;
  readonly headersAtUnixMs: number;
  readonly atUnixMs: number;
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  /** Not when the time was over first. */
  readonly isWhole: boolean;
  readonly serverTiming: string | null;
}

export interface Failure {
  readonly kind: 'failure';
  readonly connection: number;
  readonly atUnixMs: number;
  readonly why: string;
}

/** Bytes of all bodies so far. */
export interface Progress {
  readonly kind: 'progress';
  readonly atUnixMs: number;
  readonly bytes: number;
}

export interface End {
  readonly kind: 'end';
  readonly atUnixMs: number;
  readonly bytes: number;
  readonly answers: number;
  readonly failures: number;
  /** Of the client itself; null where the system does not tell. */
  readonly cpuSeconds: number | null;
}

export interface LoadResult {
  readonly opened: readonly Opened[];
  readonly answers: readonly Answer[];
  readonly failures: readonly Failure[];
  readonly progress: readonly Progress[];
  readonly end: End;
}

/** @throws Error when the client did not come to its end. */
export function loadResult(text: string): LoadResult {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoadLine);
  const of = <K extends LoadLine['kind']>(kind: K) =>
    lines.filter((line): line is Extract<LoadLine, { kind: K }> => line.kind === kind);
  const [end] = of('end');
  if (!end) throw new Error(`The load client printed ${lines.length} lines, and no end`);
  return {
    opened: of('opened'),
    answers: of('answer'),
    failures: of('failure'),
    progress: of('progress'),
    end,
  };
}
