import { expect, test } from 'vitest';
import { createSteeringActor, type SteeringEffects } from './actor.ts';
import type { SteeringAnswer, SteeringPolicy } from './policy.ts';
import type { SteeringInput } from './steeringSession.ts';

const PATHWAYS = [
  { id: 'main', carries: 'any' as const, base: 'https://a.example' },
  { id: 'tcp', carries: 'tcp' as const, base: 'https://b.example' },
];
const sample: SteeringInput = {
  kind: 'sample',
  atMs: 900,
  progress: [],
  bufferMs: 0,
  lowestKbps: null,
  highestKbps: null,
};

/** A policy that gives these answers, one after the other, and what became of them. */
function actOn(answers: readonly SteeringAnswer[], can: Partial<SteeringEffects> = {}) {
  const left = [...answers];
  const policy: SteeringPolicy = {
    id: 'listed',
    label: 'Listed',
    paper: 'none: made for this test',
    parameters: {},
    start: () => null,
    observe: () => null,
    choose() {
      const answer = left.shift();
      if (!answer) throw new Error('no answer is left');
      return answer;
    },
  };
  const recorded: object[] = [];
  const said: unknown[] = [];
  const actor = createSteeringActor(policy, 7, {
    nowMs: () => 1000,
    record: (draft) => void recorded.push(draft),
    onFault: (message) => void said.push(message),
    beginProbe: () => false,
    rescue: () => false,
    onPathway: (change) => void said.push(change),
    firstOfOrder: () => null,
    ...can,
  });
  const choices = () => recorded.filter((each) => 'policy' in each);
  return { actor, recorded, said, choices };
}

test('nothing happens before the start, and the log keeps where the pathways lead', () => {
  const { actor, recorded } = actOn([]);
  expect([actor.pathway(), actor.tell(sample)]).toEqual([null, null]);
  actor.start(PATHWAYS, null);
  expect(actor.pathway()).toBe('main');
  expect(recorded).toEqual([
    {
      kind: 'steering-input',
      atMs: 1000,
      missing: {},
      input: { kind: 'start', atMs: 1000, pathways: PATHWAYS, seed: 7 },
    },
  ]);
});

test('the first choice is recorded, and later ones that change something', () => {
  const { actor, said, choices } = actOn([
    { pathway: 'main', because: 'One.' },
    { pathway: 'main', because: 'Two.' },
    { pathway: 'tcp', because: 'Three.', keepsHistory: true, values: { ms: 3 } },
  ]);
  actor.start(PATHWAYS, null);
  for (let count = 0; count < 3; count += 1) actor.tell(sample);
  const common = { kind: 'steering', atMs: 1000, missing: {}, policy: 'listed' };
  expect(choices()).toEqual([
    { ...common, pathway: 'main', because: 'One.', values: {} },
    {
      ...common,
      fromPathway: 'main',
      pathway: 'tcp',
      because: 'Three.',
      values: { ms: 3 },
      keepsHistory: true,
    },
  ]);
  expect(said).toEqual([{ pathway: 'tcp', keepsHistory: true }]);
});

test('a probe and a continued request are recorded where they begin, and only there', () => {
  const answer = { pathway: 'main', because: 'Both.', probe: { pathway: 'tcp', bytes: 9 }, rescue: 'r1' };
  const refused = actOn([answer, answer]);
  refused.actor.start(PATHWAYS, null);
  refused.actor.tell(sample);
  expect(refused.actor.tell(sample)).toBe(answer);
  expect(refused.choices()).toHaveLength(1);
  const begun = actOn([answer, answer], { beginProbe: () => true, rescue: (id) => id === 'r1' });
  begun.actor.start(PATHWAYS, null);
  begun.actor.tell(sample);
  begun.actor.tell(sample);
  expect(begun.choices()).toHaveLength(2);
  expect(begun.choices()[1]).toMatchObject({ probe: answer.probe, rescue: { requestId: 'r1' } });
});

test('a policy that begins anew leaves the pathway of before, for the reason given', () => {
  const { actor, choices } = actOn(
    [
      { pathway: 'main', because: 'One.' },
      { pathway: 'tcp', because: 'Two.' },
      { pathway: 'main', because: 'Three.' },
    ],
    { firstOfOrder: () => 'tcp' },
  );
  actor.start(PATHWAYS, null);
  actor.tell(sample);
  actor.start([...PATHWAYS].reverse(), 'The order changed.');
  actor.tell(sample);
  actor.tell(sample);
  expect(choices()).toMatchObject([
    { pathway: 'main', pulledAway: true },
    { fromPathway: 'main', pathway: 'tcp', because: 'The order changed.' },
    { fromPathway: 'tcp', pathway: 'main', because: 'Three.', pulledAway: true },
  ]);
  expect(choices()[1]).not.toHaveProperty('pulledAway');
});

test('what the policy throws is said in a sentence, and the pathway stays', () => {
  const { actor, said } = actOn([]);
  actor.start(PATHWAYS, null);
  expect(actor.tell(sample)?.pathway).toBe('main');
  expect(said).toEqual(['The steering policy listed failed: no answer is left.']);
  actor.stop();
  expect([actor.pathway(), actor.tell(sample)]).toEqual([null, null]);
});
