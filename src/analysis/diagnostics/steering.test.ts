import { describe, expect, test } from 'vitest';
import type { RequestEvent } from '../../telemetry/event.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { choice, exampleSession, steered } from '../timeline/example.testing.ts';
import { createDiagnostics, formatFinding } from './diagnostics.ts';

function texts(events: readonly SessionEvent[]): string[] {
  const { events: all, ...header } = steered(exampleSession(events));
  const found = createDiagnostics(header);
  for (const event of all) found.append(event);
  return found.findings().map((finding) => `${finding.severity} ${finding.atMs}: ${formatFinding(finding)}`);
}

/** Megabits that take so many seconds from so many seconds on. */
const transfer = (
  [fromS, tookS, mbit]: readonly [number, number, number],
  changes: Partial<RequestEvent>,
): SessionEvent => {
  const [atMs, endMs] = [fromS * 1000, (fromS + tookS) * 1000];
  const times = { atMs, startMs: atMs, firstByteMs: atMs, lastByteMs: endMs, endMs };
  const url = `https://${changes.pathway}.test/${fromS}`;
  return exampleRequest({ ...times, url, receivedBytes: mbit * 125_000, ...changes });
};
const udp = (...of: readonly [number, number, number]): SessionEvent =>
  transfer(of, { pathway: 'main', protocol: 'h3' });
const tcp = (...of: readonly [number, number, number]): SessionEvent =>
  transfer(of, { pathway: 'tcp', protocol: 'h2' });

describe('UDP slower than TCP', () => {
  test('medians of what ran side by side, in session time of the first', () =>
    expect(texts([udp(10, 10, 1), udp(10, 10, 2), tcp(11, 1, 2), tcp(12, 1, 4), tcp(13, 1, 3)])).toEqual([
      'warning 10000: UDP carried 20 times less than TCP here: 0.15 Mbit/s against 3.00 Mbit/s, medians of 2 transfers over UDP and 3 over TCP that ran side by side over two pathways.',
    ]));
  test('probes count as segments do', () => {
    const probe = (from: number) => transfer([from, 1, 3], { pathway: 'tcp', protocol: 'h2', type: 'probe' });
    expect(texts([udp(10, 10, 2), udp(10, 10, 2), probe(11), probe(13)])).toHaveLength(1);
  });
  test('what was fast before and after does not count', () => {
    const fast = Array.from({ length: 20 }, (_, at) => udp(100 + at, 0.5, 5));
    expect(texts([...fast, udp(10, 10, 1), udp(10, 10, 1), tcp(11, 1, 2), tcp(13, 1, 2)])).toHaveLength(1);
  });
  test('a request that was aborted shows the rate of its pathway, if it ran for long', () => {
    const aborted = (from: number, took: number) =>
      transfer([from, took, 0], { pathway: 'main', protocol: null, outcome: 'aborted', status: null });
    const both = [tcp(11, 1, 2), tcp(14, 1, 2)];
    expect(texts([udp(0, 1, 2), aborted(10, 2), aborted(13, 2), ...both])).toEqual([
      'warning 10000: UDP carried nothing here, TCP 2.00 Mbit/s, medians of 2 transfers over UDP and 2 over TCP that ran side by side over two pathways.',
    ]);
    expect(texts([udp(0, 1, 2), aborted(11.5, 0.9), aborted(14.1, 0.9), ...both])).toEqual([]);
    // Nobody knows what carried it.
    expect(texts([aborted(10, 2), aborted(13, 2), ...both])).toEqual([]);
  });
  test.each<[string, SessionEvent[]]>([
    ['a single transfer of one kind', [udp(10, 10, 1), tcp(11, 1, 2), tcp(12, 1, 2)]],
    ['one after the other', [udp(0, 10, 1), udp(0, 10, 1), tcp(11, 1, 2), tcp(12, 1, 2)]],
    ['not half as much less', [udp(10, 2, 2), udp(10, 2, 2), tcp(10, 1, 1.9), tcp(11, 1, 1.9)]],
    ['UDP that carries more', [udp(10, 1, 9), udp(10, 1, 9), tcp(10, 1, 1), tcp(10, 1, 1)]],
    [
      'the same pathway',
      [
        ...[udp(10, 10, 1), udp(10, 10, 1)],
        ...[11, 12].map((from) => transfer([from, 1, 2], { pathway: 'main', protocol: 'h2' })),
      ],
    ],
    [
      'small answers, which show the latency',
      [udp(10, 10, 1), udp(10, 10, 1), tcp(11, 0.01, 0.1), tcp(12, 0.01, 0.1)],
    ],
  ])('says nothing of %s', (_, events) => expect(texts(events).filter(isOfRate)).toEqual([]));
  test('a session without pathways has none', () => {
    const plain = [udp(10, 10, 1), udp(10, 10, 1), tcp(11, 1, 2), tcp(12, 1, 2)].map((event) =>
      withoutPathway(event as RequestEvent),
    );
    expect(texts(plain).filter(isOfRate)).toEqual([]);
  });
});

const withoutPathway = ({ pathway: _pathway, ...rest }: RequestEvent): SessionEvent => rest;

const isOfRate = (text: string): boolean => text.includes('UDP');

describe('a pathway that was left', () => {
  const away = (atMs: number) => choice(atMs, 'tcp', { fromPathway: 'main' });
  const back = (atMs: number) => choice(atMs, 'main', { fromPathway: 'tcp' });
  test('when, for which, and when it returned', () =>
    expect(
      texts([
        choice(400, 'main'),
        choice(5000, 'main', { fromPathway: 'main', probe: { pathway: 'tcp', bytes: 1 } }),
        ...[away(12_400), choice(20_000, 'tcp', { fromPathway: 'tcp' }), back(46_500), away(50_000)],
      ]),
    ).toEqual([
      'note 12400: Steering left the pathway main for tcp at 12.4 s of the session; it returned 34.1 s later.',
      'note 50000: Steering left the pathway main for tcp at 50.0 s of the session; it has not returned since.',
    ]));
  test('a policy that begins with another pathway left none', () =>
    expect(texts([choice(400, 'tcp'), choice(900, 'tcp', { fromPathway: 'tcp' })])).toEqual([]));
  test('many times are counted', () => {
    const often = Array.from({ length: 8 }, (_, at) => [away(at * 1000), back(at * 1000 + 500)]).flat();
    const said = texts(often);
    expect(said).toHaveLength(6);
    expect(said.at(-1)).toBe('note null: Steering left the pathway main 3 more times.');
  });
});
