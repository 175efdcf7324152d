import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { exampleRequest } from '../../telemetry/exampleLog.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, linked } from '../timeline/example.testing.ts';
import { recoveries } from '../transport/linkChanges.ts';
import { metrics } from './registry.ts';

const of = (id: string, log: SessionLog) => pick(metrics, id).of(log);

/** A media request from one moment to another; `exampleSession` gives the first event the id x1. */
const media = (startMs: number, endMs: number, changes: Partial<RequestEvent> = {}): SessionEvent =>
  exampleRequest({ ...{ atMs: startMs, startMs, lastByteMs: endMs, endMs }, ...changes });

const FAILED = { outcome: 'network-error', status: null, lastByteMs: null } as const;

interface Changed {
  readonly addresses?: readonly number[];
  readonly ports?: readonly number[];
  /** By the number of the event, from 1: its connection. */
  readonly connections?: Readonly<Record<number, string>>;
}

/** A session whose path changed at these session times. */
function session(
  events: readonly SessionEvent[],
  { addresses = [], ports = [], connections = {} }: Changed,
): SessionLog {
  const carried = Object.entries(connections).map(([number, connectionId]): SessionEvent => ({
    ...{ kind: 'transport', id: 't', atMs: 0, requestId: `x${number}`, source: 'netlog' },
    ...{ races: [], connectionId, missing: {} },
  }));
  const log = linked(exampleSession([...events, ...carried]), []);
  const at = (atMs: number): number => log.clock.startedAtUnixMs + atMs;
  return {
    ...log,
    environment: {
      ...log.environment,
      linkRun: {
        ...log.environment.linkRun!,
        addressChanges: addresses.map((atMs) => ({ atUnixMs: at(atMs), address: '10.1.1.3' })),
        udpPortChanges: ports.map((atMs) => ({ atUnixMs: at(atMs), flows: 1 })),
      },
    },
  };
}

describe('the time to recover', () => {
  test('ends with the first request that succeeded after the change, one that ran before included', () => {
    const log = session([media(1000, 2000), media(9000, 11_500), media(12_000, 13_000)], { ports: [10_000] });
    expect(of('recovery-time', log).value).toBe(1500);
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

  test('is a mean over the changes; one without a recovery is named', () => {
    const log = session(
      [
        media(1000, 2000),
        media(10_500, 11_000),
        media(21_000, 29_000, FAILED),
        media(31_000, 33_000, FAILED),
      ],
      { addresses: [10_000, 20_000], ports: [30_000] },
    );
    expect(of('recovery-time', log)).toEqual({
      value: 500,
      note: 'Mean over 1 change; after 2 none succeeded.',
    });
    expect(of('lost-requests', log).value).toBe(2);
  });
});

test('a connection survives where the next media request used it', () => {
  const events = [media(1000, 2000), media(10_500, 11_000), media(20_500, 21_000), media(30_500, 31_000)];
  const changed = { ports: [10_000, 20_000, 30_000] };
  const log = session(events, { ...changed, connections: { 1: '7', 2: '7', 3: '9' } });
  expect(recoveries(log)?.map(({ isSameConnection }) => isSameConnection)).toEqual([true, false, null]);
  expect(of('connection-survival', log).value).toBe(50);
  expect(of('connection-survival', session(events, changed)).value).toBeNull();
});

test('changes before the first media and after the last do not count', () => {
  const log = session([media(1000, 2000), media(3000, 4000)], { addresses: [500, 9000] });
  expect(of('recovery-time', log)).toEqual({
    value: null,
    why: 'The client’s address and ports did not change while media was requested.',
  });
});

test('a session without a link of the lab has no value', () => {
  expect(of('lost-requests', exampleSession([media(1000, 2000)])).value).toBeNull();
});
