import { groupBy } from '../../src/shared/groupBy.ts';
import { msFromSeconds } from '../../src/shared/units.ts';
import { weightedMean } from '../../src/analysis/statistics/summaries.ts';
import type { FieldSession } from './fieldSession.ts';

/** State of the player, the key `sta` of CMCD version 2 (CTA-5004-B): `p` plays, `r` rebuffers, `f` has failed. */
export type PlayerState = 's' | 'p' | 'k' | 'r' | 'a' | 'e' | 'f' | 'q' | 'd';

/** What is stored of one CMCD event. Ids are hashed as in `FieldSession`. */
export interface CmcdRow extends Pick<
  FieldSession,
  'session' | 'viewer' | 'network' | 'arm' | 'receivedMs' | 'pathway' | 'networkClass'
> {
  /** Unix time of the event, ms, by the viewer's clock (`ts`). */
  readonly atMs: number;
  /** null where the event does not say it. */
  readonly state: PlayerState | null;
  /** Media start delay (`msd`), ms. */
  readonly joinMs: number | null;
  /** Sum of starvations that ended (`bsd`), ms. */
  readonly starvedMs: number | null;
  /** Bitrate of what is played (`br`), kbit/s. */
  readonly bitrateKbps: number | null;
  readonly isError: boolean;
  /** Bytes since the session began, of the custom keys. */
  readonly h3Bytes: number | null;
  readonly tcpBytes: number | null;
}

/** Players report every 30 s by default: after a longer silence nobody knows what was played. */
const MAX_SILENCE_MS = msFromSeconds(120);

/** Makes sessions of events. A session that played, and whose start nobody saw, is left out: its join time is unknown. */
export function foldCmcd(rows: readonly CmcdRow[]): FieldSession[] {
  return [...groupBy(rows, ({ session }) => session).values()].flatMap((of) => foldSession(of) ?? []);
}

function foldSession(unordered: readonly CmcdRow[]): FieldSession | null {
  const rows = unordered.toSorted((one, other) => one.atMs - other.atMs);
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const spans = spansOf(rows);
  const timeIn = (state: PlayerState): number =>
    spans.reduce((sum, span) => sum + (span.state === state ? span.durationMs : 0), 0);
  const playedMs = timeIn('p');
  const joinMs = joinOf(rows);
  if (joinMs === null && playedMs > 0) return null;
  const starved = rows.flatMap(({ starvedMs }) => starvedMs ?? []);
  return {
    session: first.session,
    viewer: rows.find(({ viewer }) => viewer !== null)?.viewer ?? null,
    network: first.network,
    arm: rows.find(({ arm }) => arm !== null)?.arm ?? null,
    startedMs: first.atMs,
    receivedMs: last.receivedMs,
    joinMs,
    playedMs,
    stalledMs: starved.length > 0 ? starved.reduce((sum, ms) => sum + ms, 0) : timeIn('r'),
    stalls: spans.filter(({ state, isNew }) => state === 'r' && isNew).length,
    bitrateKbps: joinMs === null ? null : playedBitrate(spans),
    errors: rows.filter(({ isError }) => isError).length,
    h3Bytes: maxOf(rows.map(({ h3Bytes }) => h3Bytes)),
    tcpBytes: maxOf(rows.map(({ tcpBytes }) => tcpBytes)),
    pathway: rows.findLast(({ pathway }) => pathway)?.pathway ?? null,
    networkClass: first.networkClass,
  };
}

interface Span {
  readonly state: PlayerState | null;
  readonly durationMs: number;
  readonly bitrateKbps: number | null;
  /** Whether the state differs from that of the event before. */
  readonly isNew: boolean;
}

/** From each event to the next; state and bitrate last until another event says otherwise. */
function spansOf(rows: readonly CmcdRow[]): Span[] {
  let state: PlayerState | null = null;
  let bitrateKbps: number | null = null;
  return rows.map((row, index) => {
    const isNew = row.state !== null && row.state !== state;
    state = row.state ?? state;
    bitrateKbps = row.bitrateKbps ?? bitrateKbps;
    const silenceMs = (rows[index + 1]?.atMs ?? row.atMs) - row.atMs;
    return { state, bitrateKbps, isNew, durationMs: Math.min(silenceMs, MAX_SILENCE_MS) };
  });
}

/** As the player says it, or from its start to the first event in which it plays. */
function joinOf(rows: readonly CmcdRow[]): number | null {
  const said = rows.find(({ joinMs }) => joinMs !== null)?.joinMs;
  if (said != null) return said;
  const start = rows.find(({ state }) => state === 's');
  const play = rows.find(({ state }) => state === 'p');
  return start && play && start.atMs <= play.atMs ? play.atMs - start.atMs : null;
}

const playedBitrate = (spans: readonly Span[]): number | null =>
  weightedMean(
    spans.flatMap(({ state, durationMs, bitrateKbps }) =>
      state === 'p' && bitrateKbps !== null ? [{ value: bitrateKbps, weight: durationMs }] : [],
    ),
  );

const maxOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((max, value) => Math.max(max, value ?? 0), 0);
