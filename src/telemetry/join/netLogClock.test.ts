import { expect, test } from 'vitest';
import { exampleLog, exampleRequest } from '../exampleLog.testing.ts';
import { silencedSession } from '../netlog/exampleNetLog.testing.ts';
import { readNetLog } from '../netlog/readNetLog.ts';
import { netLogClockMs, onClock } from './netLogClock.ts';
import { transportOfNetLog } from './transportOfBrowser.ts';

const STARTS = { 'manifest.mpd': 1, 'init.mp4': 101, '1.m4s': 201, '2.m4s': 302, '3.m4s': 6401 };
const asked = (names: Readonly<Record<string, number>>) =>
  exampleLog({
    segments: 0,
    extra: Object.entries(names).map(([name, startMs], place) =>
      exampleRequest({ id: `a${place}`, url: `https://origin.test:8443/${name}`, atMs: startMs, startMs }),
    ),
  });
const log = asked(STARTS);
const facts = readNetLog(silencedSession().text());
if (!facts.ok) throw new Error(facts.error);
const { requests } = facts.value;

test('the clocks of one machine agree', () => expect(netLogClockMs(log, requests)).toBe(0));

test.each([-3000, -1500, 1500, 3000])(
  'a clock that was set by %i ms is seen, and races have their times',
  (byMs) => {
    const stepped = onClock(log, -byMs);
    const aheadMs = netLogClockMs(stepped, requests);
    expect(Math.abs(aheadMs - byMs)).toBeLessThanOrEqual(2);
    const moved = transportOfNetLog(onClock(stepped, aheadMs), facts.value);
    const right = transportOfNetLog(log, facts.value);
    expect(moved).toHaveLength(right.length);
    moved.forEach((event, place) => expect(Math.abs(event.atMs - right[place]!.atMs)).toBeLessThanOrEqual(2));
  },
);

test.each([
  ['another session, an hour later', onClock(log, 3_600_000)],
  ['few requests', onClock(asked({ 'init.mp4': 101, '1.m4s': 201 }), 3000)],
  ['requests that do not agree', onClock(asked({ ...STARTS, 'init.mp4': 900, '1.m4s': 2201 }), 3000)],
  ['a page that asks late', onClock(log, -300)],
])('%s says nothing of a clock', (_, session) => expect(netLogClockMs(session, requests)).toBe(0));
