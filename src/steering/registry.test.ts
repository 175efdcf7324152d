import { describe, expect, it, test } from 'vitest';
import { seededRandom } from '../shared/random.ts';
import { faultsOf } from '../shared/registry.ts';
import type { SteeringEvent, SteeringMoment, SteeringPolicy } from './policy.ts';
import { policyOf, steeringPolicies } from './registry.ts';
import { createSteeringRunner } from './steeringSession.ts';
import { PATHWAYS } from './steeredWorld.testing.ts';

/** What every policy must satisfy, whatever it is: the contract of `policy.ts` as tests. */

test('the registry has no fault', () => {
  expect(steeringPolicies.map(({ id }) => id)).toEqual([
    ...['browser', 'ewma-ratio', 'fixed', 'oracle', 'rtt-ratio', 'throughput'],
  ]);
  expect(faultsOf(steeringPolicies)).toEqual([]);
});

/** A story of requests that begin, progress and end in any order a player could see, some of them badly. */
function storyOf(seed: number, eventCount: number): { events: SteeringEvent[]; moments: SteeringMoment[] } {
  const random = seededRandom(seed);
  const any = <Item>(...items: Item[]): Item => items[Math.floor(random() * items.length)]!;
  const events: SteeringEvent[] = [];
  const moments: SteeringMoment[] = [];
  let [atMs, count] = [0, 0];
  let open: {
    requestId: string;
    pathway: string;
    purpose: 'media' | 'probe';
    startMs: number;
    bytes: number;
  }[] = [];
  while (events.length < eventCount) {
    atMs += Math.round(random() * 400);
    if (open.length < 3 && random() < 0.4) {
      const request = {
        requestId: `r${(count += 1)}`,
        pathway: any('main', 'tcp'),
        purpose: any<'media' | 'probe'>('media', 'media', 'probe'),
      };
      open.push({ ...request, startMs: atMs, bytes: 0 });
      events.push({ kind: 'began', atMs, ...request });
    } else if (random() < 0.01) events.push({ kind: 'network-change', atMs });
    else if (open[0] && random() < 0.7) {
      const one = any(...open);
      one.bytes += Math.round(random() * 40_000);
      events.push({ kind: 'progress', atMs, requestId: one.requestId, bytes: one.bytes });
    } else if (open[0]) {
      const one = any(...open);
      open = open.filter((each) => each !== one);
      const firstByteMs =
        one.bytes > 0 && random() < 0.8 ? one.startMs + random() * (atMs - one.startMs) : null;
      events.push({
        kind: 'ended',
        atMs,
        lastByteMs: atMs,
        firstByteMs,
        ...one,
        outcome: any('ok', 'ok', 'ok', 'aborted', 'failed'),
        protocol: any(null, 'h2', 'h3'),
        connectionReused: any(null, true, true, false),
      });
    } else continue;
    moments.push({
      nowMs: atMs,
      pathway: any('main', 'tcp'),
      bufferMs: random() * 20_000,
      lowestKbps: any(null, 80),
      highestKbps: any(null, 4000),
      running: open.map(({ startMs: _start, ...request }) => ({
        ...request,
        totalBytes: any(null, 500_000),
      })),
    });
  }
  return { events, moments };
}

const frozen = <Value>(value: Value): Value => {
  if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach(frozen);
    Object.freeze(value);
  }
  return value;
};

function answersOf(policy: SteeringPolicy, seed: number, eventCount = 400) {
  const story = frozen(storyOf(seed, eventCount));
  let state = policy.start(frozen({ pathways: PATHWAYS, seed: 1 }));
  return story.events.map((event, at) => {
    state = policy.observe(frozen(state), event);
    return { state, moment: story.moments[at]!, answer: policy.choose(frozen(state), story.moments[at]!) };
  });
}

describe.each(steeringPolicies.map((policy) => [policy.id, policy] as const))(
  'the policy %s',
  (_, policy) => {
    it('names its source, and its parameters can be logged', () => {
      expect(policy.paper.length).toBeGreaterThan(10);
      expect(JSON.parse(JSON.stringify(policy.parameters))).toEqual(policy.parameters);
    });

    it('answers with a pathway, a sentence and finite numbers, changes nothing and is the same every time', () => {
      for (const seed of [1, 2, 3]) {
        const answers = answersOf(policy, seed);
        expect(answersOf(policy, seed)).toEqual(answers);
        for (const { answer, moment } of answers) {
          expect(['main', 'tcp']).toContain(answer.pathway);
          expect(answer.because).toMatch(/^[A-Z0-9].*\.$/);
          for (const value of Object.values(answer.values ?? {}))
            expect(value === null || Number.isFinite(value)).toBe(true);
          if (answer.rescue !== undefined) {
            const rescued = moment.running.find(({ requestId }) => requestId === answer.rescue);
            expect(rescued).toMatchObject({ purpose: 'media' });
            expect(rescued?.pathway).not.toBe(answer.pathway);
          }
          if (answer.probe) expect(answer.probe.bytes).toBeGreaterThan(0);
          if (answer.keepsHistory) expect(answer.pathway).not.toBe(moment.pathway);
        }
      }
    });

    it('has a state of plain data that does not grow', () => {
      const sizes = answersOf(policy, 4, 6000).map(({ state }) => {
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        return JSON.stringify(state).length;
      });
      expect(Math.max(...sizes.slice(3000))).toBeLessThanOrEqual(1.5 * Math.max(...sizes.slice(0, 3000)));
    });

    it('works with one pathway, which it then uses', () => {
      const faults: unknown[] = [];
      const [main] = PATHWAYS;
      const runner = createSteeringRunner(policy, { pathways: [main!], seed: 1 }, (fault) =>
        faults.push(fault),
      );
      const moment = {
        nowMs: 0,
        pathway: 'main',
        bufferMs: 0,
        lowestKbps: null,
        highestKbps: null,
        running: [],
      };
      expect(runner.ask(moment)).toMatchObject({ pathway: 'main' });
      expect(runner.ask(moment).probe).toBeUndefined();
      expect(faults).toEqual([]);
    });
  },
);

describe('a text', () => {
  it.each([
    ['throughput', { id: 'throughput' }],
    ['fixed:pathway=other', { id: 'fixed', parameters: { pathway: 'other' } }],
    ['oracle:schedule=main@0_tcp@60', { id: 'oracle', parameters: { schedule: 'main@0_tcp@60' } }],
    ['throughput:probePercent=5', { id: 'throughput' }],
  ])('%s is a policy', (text, expected) => {
    expect(policyOf(text)).toMatchObject({ ok: true, value: expected });
  });

  it.each([
    [
      'nothing',
      'Unknown policy "nothing"; known: browser, ewma-ratio, fixed, oracle, rtt-ratio, throughput.',
    ],
    ['browser:a=1', 'The policy browser has no parameters to set.'],
    ['fixed:path=1', 'The policy fixed has no parameter "path"; it has pathway.'],
    ['throughput:probeBytes=0', 'The parameter probeBytes of throughput must be above 0, not 0.'],
    ['oracle:schedule=tcp', 'The parameter schedule of oracle has the form main@0_tcp@60, not "tcp".'],
  ])('%s is refused', (text, error) => {
    expect(policyOf(text)).toEqual({ ok: false, error });
  });
});

test('a policy that throws leaves the pathway as it is', () => {
  const faults: unknown[] = [];
  const broken: SteeringPolicy = {
    ...steeringPolicies[0]!,
    observe: () => {
      throw new Error('no');
    },
    choose: () => ({ pathway: 'elsewhere', because: 'Why not.' }),
  };
  const runner = createSteeringRunner(broken, { pathways: PATHWAYS, seed: 1 }, (fault) => faults.push(fault));
  runner.tell({ kind: 'network-change', atMs: 0 });
  const moment = { nowMs: 0, pathway: 'tcp', bufferMs: 0, lowestKbps: null, highestKbps: null, running: [] };
  expect(runner.ask(moment).pathway).toBe('tcp');
  expect(faults.map(String)).toEqual(['Error: no', 'Error: there is no pathway "elsewhere"']);
});
