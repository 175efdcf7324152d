import { expect, test } from 'vitest';
import { policyOf, steeringPolicies } from '../../steering/registry.ts';
import { createSteeringSession, type SteeringInput } from '../../steering/steeringSession.ts';
import type { SteeringPolicy } from '../../steering/policy.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import { replaySteering } from './replaySteering.ts';

const pathways = [
  { id: 'main', carries: 'any' as const },
  { id: 'tcp', carries: 'tcp' as const },
];

/** A slow segment over `main` from 1 s on, and a fast probe over `tcp` from 3 s on. */
const inputs: SteeringInput[] = [
  sample(0, []),
  { kind: 'began', atMs: 1000, requestId: 'r1', pathway: 'main', purpose: 'media' },
  ...[1200, 1400, 1600, 1800, 2000, 2200, 2400, 2600, 2800].map((atMs) =>
    sample(atMs, [{ requestId: 'r1', bytes: (atMs - 1000) * 4, totalBytes: 200_000 }]),
  ),
  { kind: 'began', atMs: 3000, requestId: 'r2', pathway: 'tcp', purpose: 'probe' },
  {
    kind: 'ended',
    atMs: 3150,
    requestId: 'r2',
    pathway: 'tcp',
    purpose: 'probe',
    outcome: 'ok',
    bytes: 32_768,
    startMs: 3000,
    firstByteMs: 3050,
    lastByteMs: 3150,
    protocol: 'h2',
    connectionReused: true,
  },
  ...[3200, 3400, 3600, 3800, 4000].map((atMs) =>
    sample(atMs, [{ requestId: 'r1', bytes: (atMs - 1000) * 4, totalBytes: 200_000 }]),
  ),
];

function sample(
  atMs: number,
  progress: Extract<SteeringInput, { kind: 'sample' }>['progress'],
): SteeringInput {
  return { kind: 'sample', atMs, progress, bufferMs: 3000, lowestKbps: 80, highestKbps: 1200 };
}

/** What the player writes: each input, and each choice that changes something after it. */
function recordedWith(policy: SteeringPolicy): SessionLog {
  const session = createSteeringSession(policy, { pathways, seed: 1 }, () => undefined);
  const events: unknown[] = [
    { kind: 'steering-input', input: { kind: 'start', atMs: 0, pathways, seed: 1 } },
  ];
  let hasChosen = false;
  for (const input of inputs) {
    events.push({ kind: 'steering-input', input });
    const before = session.pathway();
    const answer = session.tell(input);
    if (!answer) continue;
    const { pathway, because, probe, rescue } = answer;
    if (!hasChosen || pathway !== before || probe || rescue !== undefined)
      events.push({
        kind: 'steering',
        policy: policy.id,
        pathway,
        because,
        values: {},
        ...(probe && { probe }),
        ...(rescue !== undefined && { rescue: { requestId: rescue } }),
      });
    hasChosen = true;
  }
  return { ...exampleLog(), events: events as SessionEvent[] };
}

test.each(steeringPolicies.map((policy) => [policy.id, policy] as const))(
  'a session that %s steered is replayed to the same choices',
  (_id, policy) => {
    const replayed = replaySteering(recordedWith(policy), policy);
    expect(replayed?.choices).toHaveLength(inputs.filter(({ kind }) => kind === 'sample').length);
    expect(replayed?.identical).toBe(replayed?.choices.length);
    expect(replayed?.faults).toEqual([]);
  },
);

test('another policy says what it would have done', () => {
  const policy = (text: string): SteeringPolicy => {
    const found = policyOf(text);
    if (!found.ok) throw new Error(found.error);
    return found.value;
  };
  const replayed = replaySteering(recordedWith(policy('browser')), policy('throughput'));
  const change = replayed?.choices.find((each) => each.replayed.pathway === 'tcp');
  expect(change).toMatchObject({ agrees: false, recorded: { pathway: 'main' }, replayed: { rescue: 'r1' } });
  expect(replayed?.identical).toBeLessThan(replayed!.choices.length);
});

test('a log without steering has nothing to replay', () => {
  expect(replaySteering(exampleLog(), steeringPolicies[0]!)).toBeNull();
});
