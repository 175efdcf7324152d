import { roundedMs } from '../../shared/units.ts';
import type { MissingReason, RuleInUseEvent } from '../event.ts';
import { redactUrl } from '../redactUrl.ts';
import type { SessionHeader } from '../schema/sessionLog.ts';
import { PITWALL_VERSION, SCHEMA_ID } from '../schema/versions.ts';

type Environment = SessionHeader['environment'];

/** The header of a new session that begins now. */
export function newSessionHeader(environment: Environment): SessionHeader {
  const startedAtUnixMs = performance.timeOrigin + performance.now();
  return {
    schema: SCHEMA_ID,
    id: `s-${new Date(startedAtUnixMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}-${randomPart()}`,
    clock: { startedAtUnixMs, timeOriginUnixMs: performance.timeOrigin },
    parts: [{ startMs: 0, endMs: null, gapMs: 0, timeOriginUnixMs: performance.timeOrigin }],
    environment,
    design: null,
  };
}

/** The header of a stored session that goes on after a reload or crash, with `lastMs` the last moment recorded. */
export function resumedHeader(stored: SessionHeader, lastMs: number): SessionHeader {
  const nowMs = partStartMs(stored.clock, lastMs);
  const startMs = roundedMs(nowMs ?? lastMs);
  const parts = stored.parts.map((part) => ({ ...part, endMs: part.endMs ?? lastMs }));
  const endMs = parts.at(-1)?.endMs ?? 0;
  const part = {
    startMs,
    endMs: null,
    gapMs: nowMs && roundedMs(startMs - endMs),
    timeOriginUnixMs: performance.timeOrigin,
  };
  return { ...stored, parts: [...parts, part] };
}

/** Longer than anybody waits with a recording, and shorter than a clock of 1970 is wrong. */
const LONGEST_GAP_MS = 864e5;

/** Session time now, by the system clock; null where that clock was set since `lastMs`. */
function partStartMs({ startedAtUnixMs }: SessionHeader['clock'], lastMs: number): number | null {
  const nowMs = performance.timeOrigin + performance.now() - startedAtUnixMs;
  return nowMs < lastMs || nowMs > lastMs + LONGEST_GAP_MS ? null : nowMs;
}

/** @throws Error where a recording would go on with another net than it began with */
export function mustKeepItsNet({ environment: then }: SessionHeader, now: Partial<Environment>): void {
  const [net, other] = [then, now].map(({ ruleParameters }) => ruleParameters?.['weights']);
  if (then.rule !== now.rule || net === undefined || net === other) return;
  throw new Error(
    `It was recorded with the weights "${net}", not "${other}": reload, choose them, then resume.`,
  );
}

/**
 * Names the rule of a session whose caller did not name one at the beginning, and puts a rule in charge later: the first
 * `rule` event says which.
 */
export function nameRule(
  environment: Environment,
  { rule, parameters }: Pick<RuleInUseEvent, 'rule' | 'parameters'>,
): void {
  if (environment.rule !== null) return;
  environment.rule = rule;
  environment.ruleParameters = { ...parameters };
  delete environment.missing['rule'];
  delete environment.missing['ruleParameters'];
}

/** Names the manifest of a session whose caller did not: the first one that is requested. */
export function nameMpd({ environment }: SessionHeader, url: string, keepQueryValues: boolean): void {
  if (environment.mpdUrl !== null) return;
  environment.mpdUrl = redactUrl(url, keepQueryValues);
  delete environment.missing['mpdUrl'];
}

/** What any page can tell of its surroundings. */
export function ofPage(): Partial<Environment> {
  const { userAgent } = navigator;
  const [browser = null] = /(Firefox|Edg|Chrome|Version)\/\d+/.exec(userAgent) ?? [];
  return { pitwallVersion: PITWALL_VERSION, userAgent, browser };
}

/** Completes what the caller knows of the environment: a part that it does not know is null with a reason. */
export function environmentOf(reported: Partial<Environment>, keepQueryValues: boolean): Environment {
  const { missing: reasons = {}, ...values } = reported;
  const whole = { ...NOTHING_KNOWN, ...values };
  if (whole.mpdUrl !== null) whole.mpdUrl = redactUrl(whole.mpdUrl, keepQueryValues);
  const missing: Record<string, MissingReason> = {};
  for (const [name, value] of Object.entries(whole))
    if (value === null) missing[name] = reasons[name] ?? UNREPORTED[name] ?? 'not-reported';
  return { ...whole, missing };
}

const NOTHING_KNOWN: Omit<Environment, 'missing'> = {
  pitwallVersion: 'unknown',
  dashjsVersion: null,
  browser: null,
  userAgent: null,
  transport: null,
  mpdUrl: null,
  rule: null,
  ruleParameters: null,
  preset: null,
  settings: null,
  tcpController: null,
  quicController: null,
  link: null,
  simulator: null,
  traceOptimum: null,
};

/** Reasons for nulls that no caller can fill: a real player plays. */
const UNREPORTED: Readonly<Record<string, MissingReason>> = { simulator: 'not-applicable' };

function randomPart(): string {
  return [...crypto.getRandomValues(new Uint8Array(4))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

/** Session time: ms since the session began, across reloads. */
export interface SessionClock {
  nowMs(): number;
  /** Session time of a `performance.now()` or Resource Timing value. */
  sessionMs(performanceMs: number): number;
}

/**
 * Runs on `performance.now()`, so that a corrected system clock does not bend a session. Only the start of a part is
 * placed by the system clock, and where that was set meanwhile, at the end of the part before.
 */
export function createSessionClock(clock: SessionHeader['clock'], notBeforeMs = 0): SessionClock {
  const begunMs = performance.now();
  const startMs = partStartMs(clock, notBeforeMs) ?? notBeforeMs;
  const sessionMs = (performanceMs: number): number =>
    Math.max(0, roundedMs(startMs + performanceMs - begunMs));
  return { nowMs: () => sessionMs(performance.now()), sessionMs };
}
