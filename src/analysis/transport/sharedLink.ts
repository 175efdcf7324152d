import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { oncePerLog } from '../timeline/log.ts';
import { mergedSpans, overlapMs, totalMs, type Span } from '../timeline/spans.ts';
import { renderedSpans } from '../timeline/played.ts';
import { mediaTimings } from './mediaTimings.ts';

type BesideRun = NonNullable<SessionLog['environment']['beside']>;
type BesideFlow = BesideRun['flows'][number];

/** What one user of a link received in a time of its own. */
export interface Received {
  readonly sizeBytes: number;
  readonly lastingMs: number;
}

/** How a viewer and what ran beside it shared a link, while the viewer downloaded. */
export interface SharedLink {
  /** Media of the viewer, while at least one flow ran, or other viewers were there. */
  readonly viewer: Received;
  /** Bytes of all flows and other viewers in the time that `viewer` counts. */
  readonly othersBytes: number;
  /** What each flow received while it ran and the viewer downloaded; without those for which that never happened. */
  readonly flows: readonly Received[];
  /** What each other viewer received while it ran and the viewer downloaded; without those for which that never happened. */
  readonly players: readonly Received[];
}

/** A flow, or another viewer. */
interface User {
  readonly isPlayer: boolean;
  readonly run: Span;
  readonly pieces: readonly Piece[];
}

/** Bytes that came evenly in a stretch of session time. */
interface Piece extends Span {
  readonly sizeBytes: number;
}

/**
 * Computes how the viewer shared its link; null where nothing ran beside the viewer, or nothing while it downloaded. The viewer
 * downloads from the start of a request for media to its last byte. Its bytes come evenly between the first and the last byte,
 * those of others evenly in each second.
 */
export const sharedLink = oncePerLog((log): SharedLink | null => {
  const users = usersOf(log);
  const timings = mediaTimings(log);
  const downloads = mergedSpans(
    timings.map(({ startMs, lastByteMs }) => ({ fromMs: startMs, toMs: lastByteMs })),
  );
  const shared = common(downloads, mergedSpans(users.map(({ run }) => run)));
  const lastingMs = totalMs(shared);
  if (lastingMs <= 0) return null;
  const viewed = timings.map(({ firstByteMs, lastByteMs, sizeBytes }) => ({
    fromMs: firstByteMs,
    toMs: lastByteMs,
    sizeBytes,
  }));
  const receivedBy = (isPlayer: boolean): Received[] =>
    users
      .filter((user) => user.isPlayer === isPlayer)
      .flatMap(({ run, pieces }) => {
        const own = common(downloads, [run]);
        const ownMs = totalMs(own);
        return ownMs > 0 ? [{ sizeBytes: bytesIn(pieces, own), lastingMs: ownMs }] : [];
      });
  return {
    viewer: { sizeBytes: bytesIn(viewed, shared), lastingMs },
    othersBytes: users.reduce((sum, { pieces }) => sum + bytesIn(pieces, shared), 0),
    flows: receivedBy(false),
    players: receivedBy(true),
  };
});

function usersOf({ environment: { beside }, clock }: SessionLog): User[] {
  if (!beside) return [];
  const zeroMs = beside.secondsFromUnixMs - clock.startedAtUnixMs;
  return [
    ...beside.flows.map((flow) => {
      const run = runOf(flow, clock);
      return { isPlayer: false, run, pieces: piecesOf(flow, run, zeroMs) };
    }),
    ...(beside.players ?? []).map((player) => {
      const run = { fromMs: zeroMs, toMs: zeroMs + 1000 * player.bytesBySecond.length };
      return { isPlayer: true, run, pieces: piecesOf(player, run, zeroMs) };
    }),
  ];
}

/** When a flow ran, in session time. */
const runOf = (
  { startedAtUnixMs, endedAtUnixMs }: Pick<BesideFlow, 'startedAtUnixMs' | 'endedAtUnixMs'>,
  clock: SessionLog['clock'],
): Span => ({
  fromMs: startedAtUnixMs - clock.startedAtUnixMs,
  toMs: endedAtUnixMs - clock.startedAtUnixMs,
});

/** Returns a piece for each second: the whole second, or the part of it in which the flow or viewer runs. */
const piecesOf = ({ bytesBySecond }: Pick<BesideFlow, 'bytesBySecond'>, run: Span, zeroMs: number): Piece[] =>
  bytesBySecond.flatMap((sizeBytes, second) => {
    const fromMs = Math.max(run.fromMs, zeroMs + second * 1000);
    const toMs = Math.min(run.toMs, zeroMs + (second + 1) * 1000);
    return toMs > fromMs ? [{ fromMs, toMs, sizeBytes }] : [];
  });

/** Returns the spans that two lists have in common. Each list is in order of time and has no overlaps. */
const common = (one: readonly Span[], other: readonly Span[]): Span[] =>
  one.flatMap((a) =>
    other.flatMap((b) => {
      const span = { fromMs: Math.max(a.fromMs, b.fromMs), toMs: Math.min(a.toMs, b.toMs) };
      return span.toMs > span.fromMs ? [span] : [];
    }),
  );

/** Adds up the bytes that came in the spans. What came in a moment counts where the moment is. */
function bytesIn(pieces: readonly Piece[], spans: readonly Span[]): number {
  let sum = 0;
  for (const { fromMs, toMs, sizeBytes } of pieces) {
    if (toMs > fromMs) sum += (sizeBytes * overlapMs({ fromMs, toMs }, spans)) / (toMs - fromMs);
    else if (spans.some((span) => span.fromMs <= toMs && toMs <= span.toMs)) sum += sizeBytes;
  }
  return sum;
}

/** Seconds of the machine's wall clock. */
interface Seconds {
  readonly fromUnixMs: number;
  readonly seconds: number;
}

/** What a session played and received in each of these seconds: a `players` entry of the log that it ran beside. */
export function playedBySecond(
  log: SessionLog,
  { fromUnixMs, seconds }: Seconds,
): { bitrateKbpsBySecond: (number | null)[]; bytesBySecond: number[] } {
  const zeroMs = fromUnixMs - log.clock.startedAtUnixMs;
  const received = mediaTimings(log).map(({ firstByteMs, lastByteMs, sizeBytes }) => ({
    fromMs: firstByteMs,
    toMs: lastByteMs,
    sizeBytes,
  }));
  return {
    bitrateKbpsBySecond: bitratesAt(
      log,
      Array.from({ length: seconds }, (_, second) => zeroMs + second * 1000),
    ),
    bytesBySecond: Array.from({ length: seconds }, (_, second) => {
      const fromMs = zeroMs + second * 1000;
      return Math.round(bytesIn(received, [{ fromMs, toMs: fromMs + 1000 }]));
    }),
  };
}

/** Rendered bitrate at moments in ascending order, kbit/s: what was rendered last goes on. null before the first frame. */
function bitratesAt(log: SessionLog, momentsMs: readonly number[]): (number | null)[] {
  const spans = renderedSpans(log);
  let at = -1;
  return momentsMs.map((atMs) => {
    while (at + 1 < spans.length && spans[at + 1]!.fromMs <= atMs) at += 1;
    return spans[at]?.bitrateKbps ?? null;
  });
}

/** Bitrates of all viewers of a link at one moment, and its rate. */
export interface Viewers {
  readonly bitratesKbps: readonly number[];
  /** Rate of the link, in kbit/s; null: without a limit. */
  readonly linkKbps: number | null;
}

/** Returns the viewers in each second in which every viewer saw something. */
export function viewersBySecond(log: SessionLog): Viewers[] {
  const { beside } = log.environment;
  const players = beside?.players ?? [];
  if (!beside || players.length === 0) return [];
  const seconds = Math.min(...players.map(({ bitrateKbpsBySecond }) => bitrateKbpsBySecond.length));
  const own = playedBySecond(log, { fromUnixMs: beside.secondsFromUnixMs, seconds });
  return own.bitrateKbpsBySecond.flatMap((kbps, second) => {
    const all = [kbps, ...players.map(({ bitrateKbpsBySecond }) => bitrateKbpsBySecond[second] ?? null)];
    const bitratesKbps = all.filter((each) => each !== null);
    const linkKbps = beside.linkKbpsBySecond?.[second] ?? null;
    return bitratesKbps.length === all.length ? [{ bitratesKbps, linkKbps }] : [];
  });
}
