import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, linked } from '../timeline/example.testing.ts';
import { recoveries } from '../transport/linkChanges.ts';
import { metrics } from './registry.ts';

const of = (id: string, log: SessionLog) => pick(metrics, id).of(log);

/** A media request from one moment to another; `exampleSession` gives the first event the id x1. */
const media = (startMs: number, endMs: number, changes: Partial<RequestEvent> = {}): SessionEvent =>
  exampleRequest({ atMs: startMs, startMs, lastByteMs: endMs, endMs, ...changes });

const FAILED = { outcome: 'network-error', status: null, lastByteMs: null } as const;

interface Changed {
  readonly addresses?: readonly number[];
  /** How long the client had no address before each of them, ms. */
  readonly gapMs?: number;
  readonly ports?: readonly number[];
  /** By session time, ms: the MTU from then on. */
  readonly mtus?: Readonly<Record<number, number>>;
  /** By the number of the event, from 1: its connection. */
  readonly connections?: Readonly<Record<number, string>>;
}

/** A session whose path changed at these session times. */
function session(
  events: readonly SessionEvent[],
  { addresses = [], gapMs, ports = [], mtus = {}, connections = {} }: Changed,
): SessionLog {
  const carried = Object.entries(connections).map(([number, connectionId]): SessionEvent => ({
    kind: 'transport',
    id: 't',
    atMs: 0,
    requestId: `x${number}`,
    source: 'netlog',
    races: [],
    connectionId,
    missing: {},
  }));
  const log = linked(exampleSession([...events, ...carried]), []);
  const at = (atMs: number): number => log.clock.startedAtUnixMs + atMs;
  return {
    ...log,
    environment: {
      ...log.environment,
      linkRun: {
        ...log.environment.linkRun!,
        addressChanges: addresses.map((atMs) => ({
          atUnixMs: at(atMs),
          address: '198.51.100.3',
          ...(gapMs !== undefined && { lostAtUnixMs: at(atMs - gapMs) }),
        })),
        udpPortChanges: ports.map((atMs) => ({ atUnixMs: at(atMs), flows: 1 })),
        mtuChanges: Object.entries(mtus).map(([atMs, bytes]) => ({ atUnixMs: at(Number(atMs)), bytes })),
      },
    },
  };
}

describe('the time to recover', () => {
  test('ends with the first request that succeeded after the change, one that ran before included', () => {
    const log = session([media(1000, 2000), media(9000, 11_500), media(12_000, 13_000)], { ports: [10_000] });
    expect(of('recovery-time', log).value).toBe(1500);
  });

  test('is that of a smaller MTU, too, and a larger one is no change', () => {
    const log = session([media(1000, 2000), media(9000, 11_500), media(19_000, 25_000)], {
      mtus: { 10_000: 1280, 20_000: 1400, 24_000: 1500 },
    });
    expect(recoveries(log)?.map(({ kind, recoveryMs }) => [kind, recoveryMs])).toEqual([['mtu', 1500]]);
  });

  test('lasts until the end where nothing comes any more, also if the player then aborts what waits', () => {
    const waiting = (endMs: number) =>
      session([media(1000, 2000), media(9000, endMs, { outcome: 'aborted', lastByteMs: null })], {
        mtus: { 10_000: 1280 },
      });
    expect(
      recoveries(waiting(15_000))?.map(({ hasRecovered, recoveryMs }) => [hasRecovered, recoveryMs]),
    ).toEqual([[false, 5000]]);
    expect(recoveries(waiting(14_999))).toEqual([]);
  });

  test('begins with the next request where none was running', () => {
    const log = session([media(1000, 2000), media(14_000, 14_300)], { ports: [10_000] });
    expect(of('recovery-time', log).value).toBe(300);
  });

  test('includes requests that failed, which are counted apart', () => {
    const log = session(
      [media(1000, 2000), media(9500, 10_100, FAILED), media(10_200, 10_400, FAILED), media(10_500, 12_000)],
      { addresses: [10_000] },
    );
    expect(of('recovery-time', log).value).toBe(2000);
    expect(of('lost-requests', log).value).toBe(2);
  });

  test('begins with the loss of the address, also where another one comes after a gap', () => {
    const events = [media(1000, 2000), media(9500, 10_100, FAILED), media(11_100, 11_200, FAILED)];
    const log = session([...events, media(13_500, 14_000)], {
      addresses: [13_000],
      gapMs: 3000,
      connections: { 1: '5', 2: '7', 3: '9', 4: '9' },
    });
    expect(of('recovery-time', log).value).toBe(4000);
    expect(of('lost-requests', log).value).toBe(2);
    expect(of('connection-survival', log).value).toBe(0);
  });

  test('is a mean over the changes; one without a recovery lasts until the next change, or the end', () => {
    const log = session(
      [
        media(1000, 2000),
        media(10_500, 11_000),
        media(21_000, 29_000, FAILED),
        media(31_000, 33_000, FAILED),
      ],
      { addresses: [10_000, 20_000], ports: [30_000] },
    );
    // 0.5 s, then from 21 to 30 s, then from 31 s to the end of the log, which is its last event.
    expect(recoveries(log)?.map(({ recoveryMs }) => recoveryMs)).toEqual([500, 9000, 2000]);
    expect(of('recovery-time', log)).toEqual({
      value: 11_500 / 3,
      note: 'Mean over 3 changes. After 2 of them no media request succeeded.',
    });
    expect(of('lost-requests', log).value).toBe(2);
  });

  test('waits with a request that fails only after the next change', () => {
    const log = session(
      [media(1000, 2000), media(9000, 25_000, FAILED), media(15_000, 15_500), media(26_000, 27_000)],
      {
        addresses: [10_000, 20_000],
      },
    );
    expect(recoveries(log)?.map(({ recoveryMs }) => recoveryMs)).toEqual([5500, 7000]);
  });

  test('a request that is still running at the end has not succeeded by then', () => {
    const open = media(9000, 0, { outcome: 'in-flight', endMs: null, lastByteMs: null });
    const log = session([media(1000, 2000), open, media(15_000, 16_000, { type: 'manifest' })], {
      ports: [10_000],
    });
    expect(recoveries(log)).toMatchObject([{ recoveryMs: 5000, hasRecovered: false, failed: 0 }]);
  });

  test('changes within a second are one', () => {
    const log = session([media(1000, 2000), media(10_500, 11_000)], { addresses: [10_000], ports: [10_000] });
    expect(of('recovery-time', log)).toEqual({ value: 500, note: 'Mean over 1 change.' });
  });
});

test('a connection that was used earlier, and not just before, has not survived', () => {
  const events = [media(1000, 2000), media(3000, 4000), media(10_500, 11_000)];
  const log = session(events, { ports: [10_000], connections: { 1: '5', 2: '9', 3: '5' } });
  expect(of('connection-survival', log).value).toBe(0);
});

test('a request that runs through the change, and was sent again on a new connection, has lost its own', () => {
  const events = [media(1000, 2000), media(9900, 11_000)];
  const survival = (connection: string) =>
    of('connection-survival', session(events, { ports: [10_000], connections: { 1: '5', 2: connection } }))
      .value;
  expect([survival('5'), survival('9')]).toEqual([100, 0]);
});

test('a connection survives where the next media request used it', () => {
  const events = [media(1000, 2000), media(10_500, 11_000), media(20_500, 21_000), media(30_500, 31_000)];
  const changed = { ports: [10_000, 20_000, 30_000] };
  const log = session(events, { ...changed, connections: { 1: '7', 2: '7', 3: '9' } });
  expect(recoveries(log)?.map(({ isSameConnection }) => isSameConnection)).toEqual([true, false, null]);
  expect(of('connection-survival', log).value).toBe(50);
  expect(of('connection-survival', session(events, changed)).value).toBeNull();
});

test('changes before the first media and after the last do not count, an abort at the end not either', () => {
  const aborted = media(8000, 9500, { outcome: 'aborted' });
  const log = session([media(1000, 2000), media(3000, 4000), aborted], { addresses: [500, 9000] });
  expect(of('recovery-time', log)).toEqual({
    value: null,
    why: 'Neither the client’s address or ports nor the MTU of its path changed between the first and the last media.',
  });
});

test('a session without a link of the lab has no value', () => {
  expect(of('lost-requests', exampleSession([media(1000, 2000)])).value).toBeNull();
});
