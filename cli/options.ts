import { InvalidArgumentError } from 'commander';
import type { Metric } from '../src/analysis/metrics/metric.ts';
import { metrics } from '../src/analysis/metrics/registry.ts';
import { pick } from '../src/shared/registry.ts';
import { sendersOf } from '../experiment/factors/sendersOf.ts';
import { OWN_RULE } from '../experiment/factors/rule.ts';
import { faultOfRule } from '../experiment/resolve/faultOfRule.ts';
import { faultOfPreset } from '../src/player/presets.ts';
import { playerRules } from '../src/player/rules.ts';
import { readPathways, type PlacedPathway } from '../src/player/steering/pathways.ts';
import { policyOf, steeringPolicies } from '../src/steering/registry.ts';
import { MAX_SPLIT, parseSplit } from '../src/shared/split.ts';
import { unknownId } from '../src/shared/unknownId.ts';

/** A parser for a comma-separated list, each once; `faultOf` says what is wrong with one of them, `entries` are what is known. */
const eachOf =
  (what: string, entries: readonly { id: string }[], faultOf: (text: string) => string | null) =>
  (text: string): string[] => {
    const asked = [...new Set(text.split(',').map((each) => each.trim()))].filter((each) => each !== '');
    const fault =
      asked.length === 0
        ? `Name at least one ${what}: ${entries.map(({ id }) => id).join(', ')}.`
        : asked.map(faultOf).find((each) => each !== null);
    if (fault !== undefined) throw new InvalidArgumentError(fault);
    return asked;
  };

/** A parser for a comma-separated list of known ids; says which one is unknown and what is known. */
export function listOf(what: string, entries: readonly { id: string }[]): (text: string) => string[] {
  const known = entries.map(({ id }) => id);
  return eachOf(what, entries, (id) => (known.includes(id) ? null : unknownId(what, id, known)));
}

/** A parser for a preset, with parameters or without. */
export function presetText(text: string): string {
  const fault = faultOfPreset(text);
  if (fault !== null) throw new InvalidArgumentError(fault);
  return text;
}

/** A parser for a whole number with a least value. */
export function wholeNumber(option: string, { min }: { min: number }): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < min)
      throw new InvalidArgumentError(`${option} takes a whole number of ${min} or more.`);
    return value;
  };
}

/** A parser for a number above 0. */
export function positiveNumber(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!Number.isFinite(value) || value <= 0)
      throw new InvalidArgumentError(`${option} takes a number above 0.`);
    return value;
  };
}

/** A parser for the address of a stream. */
export function streamUrl(option: string): (text: string) => string {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol === 'https:' || url?.protocol === 'http:') return url.href;
    throw new InvalidArgumentError(
      `${option} takes an http or https address, such as https://cdn.example/a.mpd.`,
    );
  };
}

/** A parser for the address of a server, which may have a path; gives it without a slash at its end. */
export function serverUrl(option: string): (text: string) => string {
  return (text) => {
    if (/[?#]/.test(text)) throw new InvalidArgumentError(`${option} takes an address without ? and #.`);
    return streamUrl(option)(text).replace(/\/$/, '');
  };
}

/** A parser for a pathway, `tcp=https://tcp.cdn.example`, of an option that can be repeated. */
export function pathwayList(text: string, before: readonly PlacedPathway[] = []): readonly PlacedPathway[] {
  const pathways = readPathways([...before.map(({ id, base }) => `${id}=${base}`), text]);
  if (!pathways.ok) throw new InvalidArgumentError(pathways.error);
  return pathways.value;
}

/** A parser for a comma-separated list of steering policies, with parameters or without; each once. */
export const policyList = eachOf('policy', steeringPolicies, (text) => {
  const policy = policyOf(text);
  return policy.ok ? null : policy.error;
});

/** A parser for a comma-separated list of numbers of ranges; each once. */
export function splitList(text: string): number[] {
  const counts = text.split(',').map(parseSplit);
  if (counts.some((count) => count === null))
    throw new InvalidArgumentError(
      `--split takes whole numbers from 1 to ${MAX_SPLIT} with commas between, as in 1,6.`,
    );
  return [...new Set(counts.filter((count) => count !== null))];
}

/** A parser for bitrates of a ladder. */
export function bitrates(text: string): number[] {
  const values = text.split(',').map(Number);
  if (values.some((value) => !(value > 0 && Number.isFinite(value))))
    throw new InvalidArgumentError(
      '--ladder takes bitrates in kbit/s with commas between, as in 300,750,1200.',
    );
  return values;
}

/** Reads `--metrics`: ids with commas between, or `all`. */
export function metricList(text: string): readonly Metric[] {
  if (text.trim() === 'all') return metrics;
  try {
    return listOf('metric', metrics)(text).map((id) => pick(metrics, id));
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw new InvalidArgumentError(`${error.message.replace(/\.$/, '')}; or all (docs/metrics.md).`);
  }
}

/** A parser for a comma-separated list of rules that a page can play, with parameters or without; each once. */
export const playedRules = eachOf('rule', playerRules, (text) =>
  text === OWN_RULE ? null : faultOfRule(text),
);

/** A parser for `i/n`, the i-th of n parts. */
export function shardOf(text: string): string {
  const [, part, parts] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? [];
  if (part === undefined || Number(part) < 1 || Number(part) > Number(parts))
    throw new InvalidArgumentError('--shard takes a part and the number of parts, as in 1/4.');
  return `${Number(part)}/${Number(parts)}`;
}

/** A parser for a congestion controller of the instrumented origin, as `sendersOf` reads it. */
export function controllerText(text: string): string {
  const senders = sendersOf(text);
  if (!senders.ok) throw new InvalidArgumentError(senders.error);
  return text;
}
