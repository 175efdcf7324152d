import { describe, expect, it } from 'vitest';
import type { Answer, Moment, Parameters, Rule, RuleContext, RuleEvent } from '../../rule.ts';
import { seededRandom } from '../../../shared/random.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { mpcFast, mpcLatency, mpcRobust } from './mpc.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

interface Story {
  readonly rule?: Rule;
  readonly ratesKbps?: readonly number[];
  readonly events?: readonly RuleEvent[];
  readonly context?: Partial<RuleContext>;
  readonly moment?: Partial<Moment>;
}

function answerTo({ rule = mpcFast as Rule, ratesKbps = [], events = [], ...rest }: Story): Answer {
  let state = rule.start(contextOf(ladder, rest.context));
  for (const rateKbps of ratesKbps) state = rule.observe(state, downloadOf(rateKbps));
  for (const event of events) state = rule.observe(state, event);
  return rule.decide(state, momentOf(rest.moment));
}

const robust = mpcRobust as Rule;
const fast = mpcFast as Rule;
const latency = mpcLatency as Rule;
const tuned = (rule: Rule, changes: Parameters): Rule => rule.tuned!(changes);
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

/** Sizes as the bitrate says, but of one segment, which is of the same size at every rung. */
const oddSegment = (odd: number, bytes: number): Partial<RuleContext> => ({
  sizeBytes: (segment, rung) => (segment === odd ? bytes : ladder[rung]!.bitrateKbps * 500),
  sizesFrom: () => 'table',
});

describe('all MPC rules', () => {
  it.each([fast, robust, latency])('$id stays where playback starts until something is measured', (rule) => {
    const answer = answerTo({ rule, moment: { lastRung: 3 } });
    expect(answer.rung).toBe(3);
    expect(reasonOf(answer)).toBe('No download measured yet, so level 4 of 6, where playback starts.');
  });

  it.each([fast, robust, latency])('$id climbs at once where the path carries everything', (rule) => {
    expect(answerTo({ rule, ratesKbps: [50_000] }).rung).toBe(5);
  });

  it.each([fast, robust, latency])('$id goes down before a stall, not after', (rule) => {
    // At 1 Mbit/s a segment of 4.3 Mbit/s takes 17 s, one of 0.75 Mbit/s 3 s.
    const from = { rule, ratesKbps: [1000, 1000], moment: { bufferMs: 4000, lastRung: 5 } };
    expect(answerTo(from).rung).toBeLessThanOrEqual(2);
    expect(
      answerTo({ ...from, moment: { bufferMs: 0, lastRung: 5 } }).values?.['planStallMs'],
    ).toBeGreaterThan(0);
  });

  it('reads the size of the very segment to be requested, and of four more', () => {
    const at = (segment: number) =>
      answerTo({
        ratesKbps: [4000],
        context: oddSegment(14, 20_000_000),
        moment: { segment, bufferMs: 20_000, lastRung: 3 },
      }).values?.['planStallMs'];
    // 20 MB take 40 s: a stall where segment 14 is within the horizon, none before and after.
    expect([9, 10, 14, 15].map((segment) => Number(at(segment)) > 0)).toEqual([false, true, true, false]);
  });

  it('plans only what is left: a step up for the last segment gains nothing', () => {
    const last = { ratesKbps: [50_000], moment: { segmentsLeft: 1, lastRung: 2 } };
    expect(answerTo(last).rung).toBe(2);
    expect(answerTo(last).values?.['planSegments']).toBe(1);
    expect(answerTo({ ...last, moment: { segmentsLeft: null } }).values?.['planSegments']).toBe(5);
  });

  it('values plans by the QoE and the weights of its parameters', () => {
    const given = { ratesKbps: [1500], moment: { bufferMs: 14_000, lastRung: 0 } };
    const of = (changes: Parameters) => answerTo({ ...given, rule: tuned(fast, changes) });
    expect(of({ qoe: 'hd' }).values?.['planQoe']).not.toBe(of({}).values?.['planQoe']);
    expect(of({ variationWeight: 100 }).rung).toBe(0);
    expect(of({ horizon: 1 }).rung).toBe(0);
    expect(of({ stallWeight: 1e6 }).values?.['planStallMs']).toBe(0);
  });

  it.each([
    {
      changes: { horizon: 0 },
      words: 'horizon of mpc-fast is a whole number of segments from 1 to 8, not 0',
    },
    { changes: { horizon: 9 }, words: 'horizon of mpc-fast' },
    { changes: { qoe: 'mos' }, words: 'The parameter qoe of mpc-fast is one of lin, log, hd, not "mos".' },
    { changes: { samples: 0 }, words: 'samples of mpc-fast must be a whole number from 1, not 0' },
    { changes: { stallWeight: 0 }, words: 'stallWeight of mpc-fast must be above 0' },
    { changes: { variationWeight: -1 }, words: 'variationWeight of mpc-fast must not be below 0' },
  ])('refuses $changes', ({ changes, words }) => {
    expect(() => tuned(fast, changes)).toThrow(words);
  });

  it('goes on in a new ladder with what it has measured', () => {
    const smaller = { kind: 'ladder' as const, atMs: 0, ladder: ladderOf(400, 800), segmentMs: 2000 };
    const answer = answerTo({ ratesKbps: [50_000], events: [smaller], moment: { lastRung: 5 } });
    expect(answer.rung).toBe(1);
    expect(answer.values?.['planQoe']).toBeCloseTo(5 * 0.8, 9);
  });

  it('leaves out what the player cut short and the other media type', () => {
    const odd = [downloadOf(90, { aborted: true }), downloadOf(90, { mediaType: 'audio' })];
    expect(answerTo({ ratesKbps: [2000], events: odd }).values?.['estimateKbps']).toBe(2000);
  });

  it('says what it predicts, what it plans and what it assumes', () => {
    const moment = { bufferMs: 40_000 };
    expect(reasonOf(answerTo({ ratesKbps: [9000], moment }))).toBe(
      'The last download predicts 9.00 Mbit/s; the best plan for the next 5 segments begins with level 6 of 6 (4.30 Mbit/s), ' +
        'does not stall and has a predicted QoE of 17.50 (sizes not known: bitrate × duration assumed).',
    );
    const known = oddSegment(99, 1);
    expect(
      reasonOf(answerTo({ rule: robust, ratesKbps: [8000, 4000], context: known, moment: { bufferMs: 0 } })),
    ).toMatch(
      /^The last 2 downloads predict 5\.33 Mbit\/s, 2\.67 Mbit\/s after a discount for errors of up to 100 %; .* stalls for \d\.\d s and has a predicted QoE of -?\d+\.\d\d\.$/,
    );
    const partly: Partial<RuleContext> = { sizeBytes: (segment) => (segment < 16 ? 100_000 : null) };
    expect(reasonOf(answerTo({ ratesKbps: [9000], context: partly }))).toMatch(
      /\(sizes of 3 of them not known: bitrate × duration assumed\)\.$/,
    );
    expect(reasonOf(answerTo({ ratesKbps: [9000], context: { segmentMs: 0, live: true } }))).toMatch(
      /\(segments of unknown length are taken to be 2\.0 s\)\.$/,
    );
  });
});

describe('what makes robust MPC robust', () => {
  it('discounts by its largest recent error, of the mean and not of what it discounted', () => {
    // Predicted 4000, measured 1000: an error of 3. Then predicted 1600 and measured 1000: 0.6.
    const { values } = answerTo({ rule: robust, ratesKbps: [4000, 1000, 1000] });
    expect(values?.['errorMax']).toBeCloseTo(3, 9);
    expect(values?.['estimateKbps']).toBeCloseTo(3 / (1 / 4000 + 2 / 1000), 9);
    expect(values?.['budgetKbps']).toBeCloseTo(3 / (1 / 4000 + 2 / 1000) / 4, 9);
  });

  it('forgets an error after five downloads, and all of them where a new video begins', () => {
    const steady = [4000, 1000, 1000, 1000, 1000, 1000];
    expect(answerTo({ rule: robust, ratesKbps: steady }).values?.['errorMax']).toBeCloseTo(3, 9);
    expect(answerTo({ rule: robust, ratesKbps: [...steady, 1000] }).values?.['errorMax']).toBeCloseTo(0.6, 9);
    expect(answerTo({ rule: robust, ratesKbps: [1000] }).values?.['errorMax']).toBe(0);
  });

  it('is bolder without the discount', () => {
    const given = { ratesKbps: [6000, 2000, 6000, 2000], moment: { bufferMs: 9000, lastRung: 2 } };
    expect(answerTo({ ...given, rule: fast }).rung).toBeGreaterThan(
      answerTo({ ...given, rule: robust }).rung,
    );
    expect(answerTo({ ...given, rule: fast }).values?.['errorMax']).toBeNull();
  });
});

describe('MPC with latency apart', () => {
  /** The latency and rate of each download, all of 500 kB. */
  const timed = (latencyMs: number, kbps: number): RuleEvent =>
    downloadOf(1, {
      sizeBytes: 500_000,
      startMs: 0,
      firstByteMs: latencyMs,
      lastByteMs: latencyMs + 4_000_000 / kbps,
    });
  const steady = [timed(1000, 4000), timed(1000, 4000)];

  it('plans with the latency once a segment, whatever its size', () => {
    const { values } = answerTo({ rule: latency, events: steady });
    expect(values).toMatchObject({ latencyMs: 1000, errorMax: 0 });
    expect(values?.['estimateKbps']).toBeCloseTo(4000, 9);
    // 500 kB took 2 s, so `mpc-robust` takes the path for 2 Mbit/s, and a segment of 2.85 Mbit/s for 5.7 s instead of 3.85.
    const moment = { bufferMs: 4000, lastRung: 4 };
    expect(answerTo({ rule: latency, events: steady, moment }).rung).toBe(4);
    expect(answerTo({ rule: robust, events: steady, moment }).rung).toBeLessThan(4);
  });

  it('discounts latency and rate by the largest recent error of the whole time', () => {
    // 2 s predicted, 4 s taken.
    const events = [...steady, timed(3000, 4000)];
    const { values } = answerTo({ rule: latency, events });
    expect(values?.['errorMax']).toBeCloseTo(1, 9);
    expect(values?.['budgetKbps']).toBeCloseTo(2000, 9);
  });

  it('answers as robust MPC where there is no latency', () => {
    const random = seededRandom(5);
    for (let story = 0; story < 100; story += 1) {
      const events = Array.from({ length: 1 + Math.floor(8 * random()) }, () =>
        downloadOf(100 * 60 ** random(), { firstByteMs: 1000 }),
      );
      const moment = { bufferMs: 20_000 * random(), lastRung: Math.floor(6 * random()) };
      const [ours, blind] = [latency, robust].map((rule) => answerTo({ rule, events, moment }));
      expect(ours?.rung).toBe(blind?.rung);
      expect(ours?.values?.['planQoe']).toBeCloseTo(Number(blind?.values?.['planQoe']), 6);
    }
  });

  it('says both parts of its prediction', () => {
    expect(reasonOf(answerTo({ rule: latency, events: steady }))).toMatch(
      /^The last 2 downloads predict 1000 ms until the first byte and 4\.00 Mbit\/s after it, 1000 ms and 4\.00 Mbit\/s after a discount for errors of up to 0 %; /,
    );
  });
});
