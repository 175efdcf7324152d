import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { summarizeSession } from '../../../analysis/sessionSummary.ts';
import { valueOf } from '../../../shared/result.ts';
import { pageTrial } from '../../../../trial/assign/assign.ts';
import { decodeBeacons, encodeBeacons, findForeignCohort } from '../../../../trial/design/beacon.ts';
import { startingTrial } from '../../../../trial/design/startingTrial.ts';
import { sha256 } from '../../../../trial/store/hash.ts';
import { readSession } from '../../schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../../schema/sessionLog.ts';
import type { Beacon } from '../../schema/trialBeacon.ts';
import { cohort, isSampled } from './cohort.ts';
import { reportTrial, type TrialOptions } from './reportTrial.ts';
import { openSpool } from './spool.ts';

const FOLDER = new URL('../../../../public/sessions/', import.meta.url);
const RECORDED = readdirSync(FOLDER).map((name): [string, SessionLog] => [
  name,
  valueOf(readSession(gunzipSync(readFileSync(new URL(name, FOLDER))).toString())),
]);
const [, LOG] = RECORDED[0]!;

const trial = startingTrial('salt of the reporter test');
const page = pageTrial(trial, sha256);
const options: TrialOptions = {
  ...{ trial: page, url: 'https://trial.example/events', session: 's-1', viewer: 'v-1', consent: true },
};

interface Posted {
  readonly url: string;
  readonly init: RequestInit;
}
let posted: Posted[] = [];
/** Status of the next answers; null: no network. */
let status: number | null = 204;
let stored = new Map<string, string>();
const shown = { visibilityState: 'visible' };

const lines = (): Beacon[] => posted.map(({ init }) => JSON.parse(init.body as string) as Beacon);

beforeEach(() => {
  posted = [];
  status = 204;
  stored = new Map();
  shown.visibilityState = 'visible';
  vi.useFakeTimers({ now: LOG.clock.startedAtUnixMs + 3_600_000 });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  vi.stubGlobal('document', Object.assign(new EventTarget(), shown));
  const target = new EventTarget();
  vi.stubGlobal('addEventListener', target.addEventListener.bind(target));
  vi.stubGlobal('removeEventListener', target.removeEventListener.bind(target));
  vi.stubGlobal('dispatchEvent', target.dispatchEvent.bind(target));
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  vi.stubGlobal('localStorage', {
    get length() {
      return stored.size;
    },
    key: (at: number) => [...stored.keys()][at] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    posted.push({ url, init });
    if (status === null) throw new TypeError('Failed to fetch');
    return new Response(status === 204 ? null : '{"error":"Line 1: why"}', { status });
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A recording that had `before` events when the page began to report; `say` records the next ones. */
function recorded(log: SessionLog, before = log.events.length) {
  const listeners = new Set<(event: SessionEvent) => void>();
  let at = before;
  const { events, ...header } = log;
  return {
    telemetry: {
      subscribe(listener: (event: SessionEvent) => void) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      exportLog: async () => ({ ...log, events: events.slice(0, at) }),
      openEvents: () => [],
      header: () => header,
      nowMs: () => 0,
    },
    say(count: number) {
      for (const event of events.slice(at, at + count)) for (const listener of listeners) listener(event);
      at += count;
    },
  };
}

const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const hide = (): void => {
  Object.assign(document, { visibilityState: 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));
};

describe.each(RECORDED)('%s', (_, log) => {
  test('is reported as its whole log says, whenever the page began to report, and the collector takes it', async () => {
    const { telemetry, say } = recorded(log, 40);
    const reporter = reportTrial(telemetry, options);
    say(7);
    await settle();
    say(log.events.length);
    expect(await reporter.stop()).toBe('sent');
    const { url, init } = posted[0]!;
    expect(url).toBe(options.url);
    expect(init).toMatchObject({ method: 'POST', keepalive: true, credentials: 'omit' });
    const [beacon] = valueOf(decodeBeacons(init.body as string, trial));
    // The pathways of the logs are no arms of the trial.
    expect(beacon).toMatchObject({ ...summarizeSession(log)!, pathway: null });
    expect(beacon!.cohort).toBe(cohort(page, 's-1'));
    expect(findForeignCohort(trial, [beacon!], sha256)).toBe(-1);
  });
});

describe('what is sent', () => {
  test('names the pathway by the base URLs, and fits into 1 kB with the longest ids', async () => {
    const host = new URL(LOG.events.find(({ kind }) => kind === 'request')!['url' as never]).origin;
    const arms = page.arms.map((arm) => (arm.pathway === 'h3' ? { ...arm, baseUrl: `${host}/` } : arm));
    const long = { session: 's'.repeat(128), viewer: 'v'.repeat(128), networkClass: 'n'.repeat(32) };
    const reporter = reportTrial(recorded(LOG).telemetry, { ...options, ...long, trial: { ...page, arms } });
    expect(await reporter.send()).toBe('sent');
    expect(lines()[0]).toMatchObject({ ...long, pathway: 'h3', trial: trial.name });
    expect((posted[0]!.init.body as string).length).toBeLessThan(1000);
  });

  test('is sent once when the page is hidden and goes away, before anything waits', async () => {
    const reporter = reportTrial(recorded(LOG).telemetry, options);
    await settle();
    hide();
    expect(posted).toHaveLength(1);
    globalThis.dispatchEvent(new Event('pagehide'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(posted).toHaveLength(1);
    globalThis.dispatchEvent(new Event('pagehide'));
    expect(posted).toHaveLength(2);
    await reporter.stop();
    hide();
    expect(posted).toHaveLength(3);
  });

  test('is nothing of a page in which nobody asked to play', async () => {
    const idle = { ...LOG, events: LOG.events.filter(({ kind }) => kind !== 'playback') };
    expect(await reportTrial(recorded(idle).telemetry, options).send()).toBe('no-session');
    expect([posted, stored.size]).toEqual([[], 0]);
  });
});

describe('nothing is sent or stored', () => {
  test('before consent, and what waits is deleted when it is withdrawn', async () => {
    const reporter = reportTrial(recorded(LOG).telemetry, { ...options, consent: false });
    await settle();
    hide();
    expect(await reporter.send()).toBe('no-consent');
    expect([posted, stored.size]).toEqual([[], 0]);
    status = null;
    reporter.setConsent(true);
    expect(await reporter.send()).toBe('kept');
    expect(stored.size).toBe(1);
    reporter.setConsent(false);
    expect(stored.size).toBe(0);
    expect(await reporter.stop()).toBe('no-consent');
    expect(posted).toHaveLength(1);
  });

  test('where consent is withdrawn while the log is read', async () => {
    const reporter = reportTrial(recorded(LOG).telemetry, options);
    const sending = reporter.send();
    reporter.setConsent(false);
    expect(await sending).toBe('no-consent');
    expect([posted, stored.size]).toEqual([[], 0]);
  });

  test.each([
    ['Save-Data', { connection: { saveData: true } }, false],
    ['the media query', {}, true],
  ])('where the viewer saves data, by %s', async (_, navigator, matches) => {
    vi.stubGlobal('navigator', navigator);
    vi.stubGlobal('matchMedia', () => ({ matches }));
    expect(await reportTrial(recorded(LOG).telemetry, options).send()).toBe('save-data');
    expect([posted, stored.size]).toEqual([[], 0]);
  });

  test('of sessions outside the sample, which is drawn apart from the arm', async () => {
    const ids = Array.from({ length: 4000 }, (_, index) => `s-${index}`);
    const sampled = ids.filter((id) => isSampled(page, id, 0.25));
    expect(sampled.length / 4000).toBeCloseTo(0.25, 1);
    const inH3 = sampled.filter((id) => cohort(page, id) === 'h3').length / sampled.length;
    expect(Math.abs(inH3 - 0.5)).toBeLessThan(0.05);
    const outside = ids.find((id) => !isSampled(page, id, 0.25))!;
    const reporter = reportTrial(recorded(LOG).telemetry, { ...options, session: outside, share: 0.25 });
    expect(await reporter.send()).toBe('not-sampled');
    expect([posted, stored.size]).toEqual([[], 0]);
  });
});

describe('the spool', () => {
  test('keeps what was not acknowledged, over a reload, and sends it once', async () => {
    for (const answer of [null, 503, 429]) {
      status = answer;
      expect(await reportTrial(recorded(LOG).telemetry, options).send()).toBe('kept');
    }
    expect(stored.size).toBe(1);
    [posted, status] = [[], 204];
    reportTrial(recorded(LOG).telemetry, { ...options, session: 's-2' });
    await settle();
    expect(lines().map(({ session }) => session)).toEqual(['s-1']);
    expect(stored.size).toBe(0);
  });

  test('drops what the collector takes never, and says why', async () => {
    status = 400;
    expect(await reportTrial(recorded(LOG).telemetry, options).send()).toBe('refused');
    expect(stored.size).toBe(0);
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('(400)'), '{"error":"Line 1: why"}');
  });

  test('stops at the first that cannot be sent', async () => {
    const spool = openSpool(trial.name);
    for (const session of ['a', 'b', 'c'])
      spool.keep(session, JSON.stringify({ session, startedMs: Date.now() }));
    status = null;
    reportTrial(recorded(LOG).telemetry, options);
    await settle();
    expect(lines().map(({ session }) => session)).toEqual(['a']);
    expect(stored.size).toBe(3);
  });

  test('holds 20 sessions, the newest, for a week; what is no beacon goes; another trial is left alone', () => {
    const spool = openSpool('one');
    const lineOf = (index: number): string => JSON.stringify({ startedMs: index });
    for (let index = 0; index < 30; index++) spool.keep(`s-${index}`, lineOf(index));
    openSpool('other').keep('x', lineOf(1));
    stored.set('pitwall-trial:one:bad', '{');
    expect(spool.list(100).map(({ session }) => session)).toEqual(
      Array.from({ length: 20 }, (_, index) => `s-${index + 10}`),
    );
    expect(stored.size).toBe(21);
    expect(spool.list(7 * 86_400_000 + 20)).toHaveLength(9);
    spool.clear();
    expect([...stored.keys()]).toEqual(['pitwall-trial:other:x']);
  });

  test('leaves a newer beacon of a session in its place', () => {
    const spool = openSpool('one');
    spool.keep('s', 'old');
    stored.set('pitwall-trial:one:s', 'new');
    spool.drop('s', 'old');
    expect(stored.get('pitwall-trial:one:s')).toBe('new');
  });

  test('costs nothing where storage is refused', async () => {
    const refuse = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    vi.stubGlobal('localStorage', {
      length: 1,
      key: refuse,
      getItem: refuse,
      setItem: refuse,
      removeItem: refuse,
    });
    expect(await reportTrial(recorded(LOG).telemetry, options).send()).toBe('sent');
  });
});

test.each([
  [{ session: 'a b' }, '"session" takes 1 to 128 visible ASCII characters.'],
  [{ viewer: '' }, '"viewer" takes 1 to 128 visible ASCII characters.'],
  [{ url: 'trial/events' }, '"url" takes the http or https address of a collector, and not trial/events.'],
  [{ share: 0 }, '"share" takes a number above 0 to 1, and not 0.'],
  [{ networkClass: '4G!' }, '"networkClass" takes 1 to 32 characters of a-z, 0-9 and -, and not 4G!.'],
  [{ trial: { ...page, key: trial.salt } }, '"trial" is what "pitwall trial serve" prints.'],
])('says in one sentence what is wrong: %#', (changed, sentence) =>
  expect(() => reportTrial(recorded(LOG).telemetry, { ...options, ...changed })).toThrow(sentence),
);

test('a cohort needs an id, and a unit whose arm follows from it', () => {
  expect(() => cohort(page, 'ü')).toThrow('"session" takes 1 to 128 visible ASCII characters.');
  const unit = { kind: 'switchback', periodMinutes: 60, washoutMinutes: 20 } as const;
  expect(() => cohort({ ...page, unit }, 's')).toThrow(
    'The arm of a switchback follows from the clock of the steering server.',
  );
});

test('a beacon of another key is found', () => {
  const other = pageTrial({ ...trial, salt: 'another salt of the test' }, sha256);
  const sessions = Array.from({ length: 40 }, (_, index) => `s-${index}`);
  const base = { ...exampleBeacon, viewer: null };
  const beacons = sessions.map((session) => ({ ...base, session, cohort: cohort(other, session) }));
  expect(findForeignCohort(trial, beacons, sha256)).toBeGreaterThanOrEqual(0);
  const own = sessions.map((session) => ({ ...base, session, cohort: cohort(page, session) }));
  expect(findForeignCohort(trial, valueOf(decodeBeacons(encodeBeacons(own), trial)), sha256)).toBe(-1);
});

const exampleBeacon: Beacon = {
  ...{ schema: 'pitwall-beacon/1', trial: trial.name, session: 's', viewer: 'v', networkClass: null },
  ...{ startedMs: Date.UTC(2026, 0, 5), joinMs: 700, playedMs: 60_000, stalledMs: 0, stalls: 0 },
  ...{ bitrateKbps: 3000, errors: 0, h3Bytes: 1, tcpBytes: 0 },
};
