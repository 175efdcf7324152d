import { expect, test } from 'vitest';
import { checkSession } from '../schema/readSession.ts';
import {
  createSessionClock,
  environmentOf,
  mustKeepItsNet,
  nameRule,
  newSessionHeader,
  resumedHeader,
} from './sessionHeader.ts';
import { closedHeader } from './store/sessionSource.ts';

test('parts of the environment that no source reported are "not-reported", and the header is valid', () => {
  const environment = environmentOf({ rule: 'bola', mpdUrl: 'https://a:b@o.test/x.mpd?token=s3cret' }, false);
  expect(environment).toMatchObject({ rule: 'bola', mpdUrl: 'https://o.test/x.mpd?token=*', link: null });
  expect(environment.missing).toMatchObject({ link: 'not-reported', simulator: 'not-applicable' });
  expect(environment.missing).not.toHaveProperty('rule');
  const header = closedHeader(newSessionHeader(environment), 0);
  expect(checkSession({ ...header, events: [] })).toMatchObject({ ok: true });
});

test('a reason that the caller gave for a null stays', () => {
  const { missing } = environmentOf({ transport: null, missing: { transport: 'not-supported' } }, false);
  expect(missing['transport']).toBe('not-supported');
});

test('the first rule that is put in charge names a session without one, and no later one does', () => {
  const environment = environmentOf({}, false);
  nameRule(environment, { rule: 'bba-2', parameters: { reservoirMs: 8000 } });
  nameRule(environment, { rule: 'bola', parameters: {} });
  expect(environment).toMatchObject({ rule: 'bba-2', ruleParameters: { reservoirMs: 8000 } });
  const header = closedHeader(newSessionHeader(environment), 0);
  expect(checkSession({ ...header, events: [] })).toMatchObject({ ok: true });
});

test('session ids differ', () => {
  const ids = [1, 2, 3].map(() => newSessionHeader(environmentOf({}, false)).id);
  expect(new Set(ids).size).toBe(3);
});

test('a recording goes on with the net that it began with, or not at all', () => {
  const by = (rule: string, weights?: string) =>
    environmentOf({ rule, ruleParameters: { qoe: 'lin', ...(weights !== undefined && { weights }) } }, false);
  const recorded = newSessionHeader(by('neural', 'mine'));
  expect(() => mustKeepItsNet(recorded, by('neural', 'seed 2'))).toThrow(
    'It was recorded with the weights "mine", not "seed 2": reload',
  );
  mustKeepItsNet(recorded, by('neural', 'mine'));
  mustKeepItsNet(recorded, by('bola'));
  mustKeepItsNet(newSessionHeader(by('bola')), by('bola'));
});

test('session time starts at 0, and never runs backwards across a reload', () => {
  const header = newSessionHeader(environmentOf({}, false));
  expect(createSessionClock(header.clock).nowMs()).toBeLessThan(50);
  // The system clock was set back by an hour while the page was away.
  const later = resumedHeader(header, 3_600_000);
  const clock = createSessionClock(later.clock, later.parts.at(-1)?.startMs);
  expect(clock.nowMs()).toBeGreaterThanOrEqual(3_600_000);
  expect(later.parts).toMatchObject([{ endMs: 3_600_000 }, { gapMs: null, endMs: null }]);
});

test.each([
  ['a clock of 1970 that was put right', 5000],
  ['a clock of another year', Date.UTC(2035, 0)],
  ['a recording of last week', Date.now() - 7 * 86_400_000],
])('%s: the next part begins at the last moment recorded, and the gap is unknown', (_, startedAtUnixMs) => {
  const header = newSessionHeader(environmentOf({}, false));
  const clock = { ...header.clock, startedAtUnixMs };
  const later = resumedHeader({ ...header, clock }, 60_000);
  expect(later.parts).toMatchObject([{ endMs: 60_000 }, { startMs: 60_000, gapMs: null }]);
  const { sessionMs } = createSessionClock(clock, 60_000);
  const now = performance.now();
  expect(sessionMs(now)).toBeGreaterThanOrEqual(60_000);
  expect(sessionMs(now + 2000) - sessionMs(now)).toBeCloseTo(2000);
  expect(checkSession({ ...closedHeader(later, 62_000), events: [] })).toMatchObject({ ok: true });
});

test('a gap that can be is known', () => {
  const header = newSessionHeader(environmentOf({}, false));
  const clock = { ...header.clock, startedAtUnixMs: Date.now() - 3_600_000 };
  const [, part] = resumedHeader({ ...header, clock }, 60_000).parts;
  expect(part!.startMs).toBeCloseTo(3_600_000, -3);
  expect(part!.gapMs).toBeCloseTo(3_540_000, -3);
});
