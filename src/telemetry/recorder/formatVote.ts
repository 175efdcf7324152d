import { formatMbps } from '../../shared/format.ts';

/** What a built-in rule of dash.js answered: its wish and the numbers it gave as its reason. */
interface BuiltInWish {
  readonly rule: string;
  /** The rung it wishes, 0-based; null is "no change". */
  readonly rung: number | null;
  readonly bitrateKbps: number | null;
  /** dash.js' `reason` object, as it is. */
  readonly reason: Readonly<Record<string, unknown>>;
}

/** One sentence for people: why a rule of dash.js 5 wishes this rung, from the numbers that it gives itself. */
export function formatVote(wish: BuiltInWish): string {
  const sentence = wish.rung === null ? NO_WISH[wish.rule] : WISHES[wish.rule]?.(wish);
  if (sentence !== undefined) return sentence;
  return wish.rung === null ? `${wish.rule} votes for no change.` : `${wish.rule} votes for ${rungOf(wish)}.`;
}

export const isBuiltIn = (rule: string): boolean => Object.hasOwn(NO_WISH, rule);

/** The numbers behind it, unit in the name. dash.js gives s for buffers and kbit/s for rates. */
export function votesValues({ rule, reason }: Pick<BuiltInWish, 'rule' | 'reason'>): Record<string, number> {
  const units = rule === 'LoLPRule' ? UNITS_OF_LOLP : UNITS;
  const values = Object.entries(units).flatMap(([name, [as, factor = 1]]) => {
    const value = numberIn(reason, name);
    return value === null ? [] : [[as, value * factor] as const];
  });
  return Object.fromEntries(values);
}

/** A number of dash.js → its name with its unit, and by how much it is multiplied. */
const UNITS: Readonly<Record<string, readonly [as: string, factor?: number]>> = {
  throughput: ['throughputKbps'],
  throughputInKbit: ['throughputKbps'],
  latency: ['latencyMs'],
  bitrate: ['capKbps'],
  bufferLevel: ['bufferMs', 1000],
  placeholderBuffer: ['placeholderMs', 1000],
  delay: ['holdMs', 1000],
  drops: ['drops'],
  noDrops: ['noDrops'],
  droppedFrames: ['droppedFrames'],
};

/** LoL+ calls the distance to the live edge its latency, in s; other rules mean that of requests, in ms. */
const UNITS_OF_LOLP: typeof UNITS = { ...UNITS, latency: ['liveLatencyMs', 1000] };

/** dash.js' own rules (streaming/constants/Constants.js, QUALITY_SWITCH_RULES), and when each says "no change" (streaming/rules/abr). */
const NO_WISH: Readonly<Record<string, string>> = {
  ThroughputRule: 'No vote: no throughput is measured yet, or the buffer is empty.',
  BolaRule: 'No vote: there is only one level, or no throughput is measured yet.',
  InsufficientBufferRule: 'No vote: too few segments since the start or the last seek, or no throughput yet.',
  SwitchHistoryRule: 'No vote: switches down are rare enough.',
  DroppedFramesRule: 'No vote: few enough frames are dropped.',
  L2ARule: 'No vote: L2A leaves audio alone, or is not ready.',
  LoLPRule: 'No vote: LoL+ leaves audio alone, or is not ready.',
};

const WISHES: Readonly<Record<string, (wish: BuiltInWish) => string>> = {
  ThroughputRule: (wish) =>
    `The highest level within the safe throughput of ${kbps(wish, 'throughput')} is ${rungOf(wish)}.`,
  BolaRule: bola,
  InsufficientBufferRule: (wish) =>
    numberIn(wish.reason, 'bitrate') === null
      ? `The buffer is empty, so the lowest: ${rungOf(wish)}.`
      : `At most ${kbps(wish, 'bitrate')} arrives before the buffer runs out: ${rungOf(wish)}.`,
  SwitchHistoryRule: (wish) =>
    `${count(wish, 'drops')} switches down against ${count(wish, 'noDrops')} kept lately: not above ${rungOf(wish)}.`,
  DroppedFramesRule: (wish) =>
    `${count(wish, 'droppedFrames')} frames were dropped on the level above: ${rungOf(wish)}.`,
  L2ARule: (wish) => `L2A, ${phase(wish)}: ${rungOf(wish)}.`,
  LoLPRule: (wish) =>
    `LoL+ weighs ${kbps(wish, 'throughput')} and a live latency of ${seconds(wish, 'latency')}: ${rungOf(wish)}.`,
  AbandonRequestsRule: (wish) =>
    `The download runs at ${kbps(wish, 'throughputInKbit')}, too slow for its segment: stop it and take ${rungOf(wish)}.`,
};

function bola(wish: BuiltInWish): string {
  const buffer = numberIn(wish.reason, 'bufferLevel');
  if (buffer === null)
    return `BOLA is starting and goes by the safe throughput of ${kbps(wish, 'throughput')}: ${rungOf(wish)}.`;
  const hold = numberIn(wish.reason, 'delay') ?? 0;
  const held = hold > 0 ? ` The request waits ${hold.toFixed(1)} s, until the buffer has fallen.` : '';
  return `A buffer of ${buffer.toFixed(1)} s suits ${rungOf(wish)} best.${held}`;
}

/** From here on a rate is shown in Mbit/s: on loopback dash.js measures more than 1,000,000 kbit/s. */
const MAX_KBPS_SHOWN = 100_000;

/** People count rungs from 1. */
function rungOf({ rung, bitrateKbps }: BuiltInWish): string {
  const rate = bitrateKbps === null ? '' : ` (${Math.round(bitrateKbps)} kbit/s)`;
  return `level ${(rung ?? 0) + 1}${rate}`;
}

function kbps({ reason }: BuiltInWish, name: string): string {
  const rate = numberIn(reason, name);
  if (rate === null) return 'an unknown rate';
  return rate < MAX_KBPS_SHOWN ? `${Math.round(rate)} kbit/s` : formatMbps(rate);
}

function seconds({ reason }: BuiltInWish, name: string): string {
  const value = numberIn(reason, name);
  return value === null ? 'unknown length' : `${value.toFixed(1)} s`;
}

const count = ({ reason }: BuiltInWish, name: string): string => String(numberIn(reason, name) ?? 'some');

const phase = ({ reason }: BuiltInWish): string =>
  typeof reason['state'] === 'string' ? reason['state'].split('STATE_').at(-1)!.toLowerCase() : 'at work';

function numberIn(reason: Readonly<Record<string, unknown>>, name: string): number | null {
  const value = reason[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
