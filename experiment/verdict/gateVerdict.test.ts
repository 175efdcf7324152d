import { expect, it, test } from 'vitest';
import { gateVerdict, type GatePair, type GateSession, type HeavySessions } from './gateVerdict.ts';
import { usualGate } from '../design/gateFile.ts';
import { seededNormals, seededRandom } from '../../src/analysis/statistics/random.ts';

const session = (kbps: number | null, stallPercent = 0, joinMs = 800): GateSession => ({
  played: kbps !== null,
  values: new Map([
    ['mean-bitrate', kbps],
    ['rebuffer-rate', kbps === null ? null : stallPercent],
    ['join-time', kbps === null ? null : joinMs],
  ]),
});
const pair = (base: GateSession, next: GateSession): GatePair => [[base, next]];
/** Sixteen pairs rule three in ten out, those of the usual gate are more. */
const gate = { ...usualGate, rareShare: 0.3 };
const looksAt = (pairs: readonly number[]) => pairs.map((each) => ({ pairs: each, share: each / 16 }));

/** Pairs whose ratios of bitrate vary by some percent. */
function pairsWith(count: number, { percent, seed = 1 }: { percent: number; seed?: number }): GatePair[] {
  const normals = seededNormals(seed)(count);
  return normals.map((normal) =>
    pair(session(2000), session(2000 * Math.exp(0.02 * normal) * (1 + percent / 100))),
  );
}

const verdictOf = (pairs: readonly GatePair[], looks: readonly number[] = [4, 8, 12, 16], isOver = true) =>
  gateVerdict(gate, pairs, { looks: looksAt(looks), isOver });

it.each([
  ['equal arms', 0, 'no-regression'],
  ['better', 8, 'no-regression'],
  ['worse by twice the margin', -10, 'regression'],
  ['worse by the margin', -5, 'regression'],
  ['worse, well within the margin', -1, 'no-regression'],
])('%s', (_, percent, verdict) => expect(verdictOf(pairsWith(16, { percent })).verdict).toBe(verdict));

test('worse by less than half of the margin is no regression, however certain', () => {
  const pairs = Array.from({ length: 16 }, (_, index) => pair(session(2000), session(1959 + (index % 3))));
  const { verdict, judgements } = verdictOf(pairs);
  expect(judgements[1]).toMatchObject({ state: 'within', worse: { isShown: true } });
  expect(verdict).toBe('no-regression');
});

test('too little is known: open before the end, and at the end nothing can be told', () => {
  const pairs = pairsWith(4, { percent: -3 });
  expect(verdictOf(pairs, [4], false).verdict).toBe('open');
  expect(verdictOf(pairs, [4], true).verdict).toBe('cannot-tell');
});

test('one metric that is worse is enough, and all have to be within', () => {
  const stalling = Array.from({ length: 16 }, (_, index) =>
    pair(session(2000), session(2010, index % 4 === 0 ? 0 : 2)),
  );
  const { verdict, judgements } = verdictOf(stalling);
  expect(verdict).toBe('regression');
  expect(judgements.map(({ metric, state }) => [metric?.id ?? 'plays', state])).toEqual([
    ['plays', 'within'],
    ['mean-bitrate', 'within'],
    ['rebuffer-rate', 'regression'],
    ['join-time', 'within'],
  ]);
});

test('a build that crashes and plays at the next try is a regression, unless that may be chance', () => {
  const crashing = (often: number, of: 'base' | 'next'): GatePair[] =>
    pairsWith(12, { percent: 0 }).map((each, place) => {
      const [base, next] = each[0]!;
      const crashed = (session: GateSession) => ({ ...session, crashed: place % often === 0 });
      return of === 'next' ? pair(base, crashed(next)) : pair(crashed(base), next);
    });
  const often = verdictOf(crashing(1, 'next'), [4, 8, 12]);
  expect(often.verdict).toBe('regression');
  expect(often.judgements[0]).toMatchObject({ metric: null, base: 0, next: 12, state: 'regression' });
  const once = verdictOf(crashing(12, 'next'), [4, 8, 12]);
  expect(once.verdict).toBe('no-regression');
  expect(once.judgements[0]).toMatchObject({ base: 0, next: 1, change: 1, state: 'within' });
  expect(verdictOf(crashing(1, 'base'), [4, 8, 12]).verdict).toBe('no-regression');
});

test('an arm that overloads the machine does not pass by the sessions that are left of it', () => {
  const pairs = pairsWith(16, { percent: 0 });
  const verdict = (heavyOf: (place: number) => HeavySessions) => {
    const heavy = pairs.map((_, place) => heavyOf(place));
    // Where a session is heavy in its last try, too, its pair is left out.
    const counted = pairs.map((each, place): GatePair => (place < 2 ? [] : each));
    return gateVerdict(gate, counted, { looks: looksAt([8, 16]), isOver: true, heavy });
  };
  const often = verdict((place) => [0, place < 6 ? 1 : 0]);
  expect(often.verdict).toBe('cannot-tell');
  expect(often.judgements[1]).toMatchObject({ about: 'load', base: 0, next: 6, pairs: 16, state: 'open' });
  expect(often.judgements.filter(({ state }) => state === 'within')).toHaveLength(4);
  for (const heavyOf of [
    (place: number): HeavySessions => [0, place < 3 ? 1 : 0],
    (place: number): HeavySessions => [place < 6 ? 1 : 0, 0],
    (place: number): HeavySessions => (place < 6 ? [1, 1] : [0, 0]),
  ])
    expect(verdict(heavyOf).verdict).toBe('no-regression');
});

test('a build that does not play is a regression, though it has no value of any metric', () => {
  const pairs = Array.from({ length: 8 }, () => pair(session(2000), session(null)));
  const { verdict, judgements } = verdictOf(pairs, [4, 8]);
  expect(verdict).toBe('regression');
  expect(judgements[0]).toMatchObject({ metric: null, state: 'regression', base: 0, next: 8, change: 8 });
  expect(judgements[1]).toMatchObject({ pairs: 0, base: null, change: null, state: 'open' });
});

test('what NEW does not finish has no value, and the pairs that are left do not pass it', () => {
  const without = ({ values, ...each }: GateSession, id: string): GateSession => ({
    ...each,
    values: new Map(values).set(id, null),
  });
  const lacking = (arm: 0 | 1) =>
    pairsWith(16, { percent: 0 }).map((each, index): GatePair => {
      const [base, next] = each[0]!;
      if (index % 2 === 0) return each;
      return arm === 0 ? pair(without(base, 'join-time'), next) : pair(base, without(next, 'join-time'));
    });
  expect(verdictOf(lacking(1)).judgements[3]).toMatchObject({
    state: 'open',
    pairs: 8,
    onlyBase: 8,
    onlyNext: 0,
    inside: { isShown: true },
  });
  expect(verdictOf(lacking(1)).verdict).toBe('cannot-tell');
  expect(verdictOf(lacking(0)).verdict).toBe('no-regression');
});

/** Sixteen pairs of which every fourth session of the named arms is known only so far. */
const withInexact = (
  arms: readonly (0 | 1)[],
  id: string,
  known: { lowerBound?: true; error?: number | null },
) =>
  pairsWith(16, { percent: 0 }).map((each, place): GatePair => {
    const both = each[0]!.map((session, arm) =>
      arms.includes(arm as 0 | 1) && place % 4 === 0
        ? { ...session, inexact: new Map([[id, known]]) }
        : session,
    ) as [GateSession, GateSession];
    return [both];
  });

test('a wait that NEW does not end looks short: more of them than of BASE do not pass', () => {
  const cut = (...arms: (0 | 1)[]) => verdictOf(withInexact(arms, 'join-time', { lowerBound: true }));
  expect(cut(1).judgements[3]).toMatchObject({ state: 'open', censored: [0, 4], inside: { isShown: true } });
  expect(cut(1).verdict).toBe('cannot-tell');
  expect(cut(0).verdict).toBe('no-regression');
  expect(cut(0, 1).verdict).toBe('no-regression');
});

test('waits that BASE does not end make NEW no worse', () => {
  const worse = withInexact([0], 'join-time', { lowerBound: true }).map(([both]): GatePair =>
    pair(both![0], session(2000, 0, 1600)),
  );
  expect(verdictOf(worse).judgements[3]).toMatchObject({ worse: { isShown: true }, state: 'open' });
});

test.each([
  [0.5, 'no-regression'],
  [41, 'cannot-tell'],
  [null, 'cannot-tell'],
])('clocks that are %s off', (error, verdict) => {
  const { judgements, verdict: found } = verdictOf(withInexact([0, 1], 'join-time', { error }));
  expect(judgements[3]!.clockError).toBe(error === null ? null : 2 * error);
  expect(found).toBe(verdict);
});

test('a rare fault is ruled out by enough pairs only, and one that is seen keeps NEW from passing', () => {
  const judged = (count: number, bad: readonly number[]) => {
    const pairs = pairsWith(count, { percent: 0 }).map((each, place): GatePair => {
      const [base] = each[0]!;
      return bad.includes(place) ? pair(base, session(2000, 30)) : each;
    });
    const looks = [
      { pairs: 6, share: 6 / count },
      { pairs: count, share: 1 },
    ];
    return gateVerdict({ ...usualGate, metrics: [usualGate.metrics[1]!] }, pairs, { looks, isOver: true });
  };
  const [plays, stalls] = judged(58, []).judgements;
  expect(plays!.rare).toMatchObject({ bad: 0, pairs: 58, neededPairs: 59, isShown: false });
  expect(stalls).toMatchObject({ state: 'open', inside: { isShown: true } });
  expect(stalls!.rare!.upperBound).toBeCloseTo(1 - 0.05 ** (1 / 58), 9);
  expect(judged(58, []).verdict).toBe('cannot-tell');
  expect(judged(60, []).verdict).toBe('no-regression');
  expect(judged(60, [7]).judgements[1]!.rare).toMatchObject({ bad: 1, neededPairs: 93, isShown: false });
  expect(judged(60, [7]).verdict).toBe('cannot-tell');
});

test('where BASE has a value and NEW has none, NEW was as bad as can be', () => {
  const pairs = pairsWith(60, { percent: 0 }).map((each, place): GatePair => {
    const [base, next] = each[0]!;
    const values = new Map(next.values).set('rebuffer-rate', null);
    return place === 3 ? pair(base, { played: true, values }) : each;
  });
  const looks = [{ pairs: 60, share: 1 }];
  const { judgements } = gateVerdict(usualGate, pairs, { looks, isOver: true });
  expect(judgements[2]!.rare).toMatchObject({ bad: 1, pairs: 60, isShown: false });
});

test('pairs that do not count leave their place in the looks empty', () => {
  const pairs = pairsWith(16, { percent: 0 }).map((each, index): GatePair => (index % 4 === 0 ? [] : each));
  const { judgements } = verdictOf(pairs, [4, 8]);
  // Two of the first eight places are empty, and six values that are all within have p = 2^−6.
  expect(judgements[1]).toMatchObject({ pairs: 6, inside: { p: 1 / 64 } });
});

test('the change of a pair is the mean over its transports', () => {
  const both: GatePair = [
    [session(1000), session(1000, 0, 880)],
    [session(1000), session(1210, 0, 800)],
  ];
  const { judgements } = verdictOf([both, both, both]);
  expect(judgements[1]).toMatchObject({ base: 1000, next: 1105, pairs: 3 });
  expect(judgements[1]!.change).toBeCloseTo(10, 9);
});

test('of many gates with equal arms few say regression, and of many with a drop of the margin most do', () => {
  const looks = [4, 8, 12].map((pairs) => ({ pairs, share: pairs / 12 }));
  const verdictsAt = (percent: number) =>
    Array.from({ length: GATES }, (_, index) => {
      const pairs = stallingPairs({ percent, seed: index + 1 });
      const seeded = { ...gate, seed: index + 1 };
      return gateVerdict(seeded, pairs, { looks, isOver: true, resamples: 20 }).verdict;
    });
  const countOf = (verdicts: readonly string[], verdict: string): number =>
    verdicts.filter((each) => each === verdict).length;
  const [equal, worse] = [verdictsAt(0), verdictsAt(-5)];
  // 5 % are 5, with a standard deviation of 2.2; of 80 % it is 4.
  expect(countOf(equal, 'regression')).toBeLessThanOrEqual(10);
  expect(countOf(worse, 'no-regression')).toBeLessThanOrEqual(10);
  expect(countOf(worse, 'regression')).toBeGreaterThanOrEqual(80);
});

const GATES = 100;

/** Makes twelve pairs. One in ten has stalls in one of its sessions, of either arm. */
function stallingPairs({ percent, seed }: { percent: number; seed: number }): GatePair[] {
  const random = seededRandom(seed);
  return pairsWith(12, { percent, seed }).map((sessions): GatePair => {
    const stalls = random() < 0.1 ? 3 * random() : 0;
    const arm = random() < 0.5 ? 0 : 1;
    return sessions.map(([base, next]) => {
      const stalled = ({ values, ...each }: GateSession) => ({
        ...each,
        values: new Map(values).set('rebuffer-rate', stalls),
      });
      return arm === 0 ? [stalled(base), next] : [base, stalled(next)];
    });
  });
}
