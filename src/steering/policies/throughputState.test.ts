import { describe, expect, test } from 'vitest';
import type { SteeringEvent } from '../policy.ts';
import { PATHWAYS } from '../steeredWorld.testing.ts';
import { DEFAULTS } from './throughputProbes.ts';
import { observe, startState } from './throughputState.ts';

type Purpose = 'media' | 'probe';
const pathwayOf = (purpose: Purpose): string => (purpose === 'media' ? 'main' : 'tcp');

const began = (requestId: string, purpose: Purpose, atMs: number): SteeringEvent => ({
  kind: 'began',
  atMs,
  requestId,
  pathway: pathwayOf(purpose),
  purpose,
});

interface Came {
  readonly startMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly kbps: number;
  /** From 5300 ms on; absent: as before. */
  readonly laterKbps?: number;
}

function bytesUntil({ firstMs, kbps, laterKbps = kbps }: Came, atMs: number): number {
  const later = Math.max(0, atMs - Math.max(firstMs, 5300));
  return (kbps * (atMs - firstMs - later) + laterKbps * later) / 8;
}

/** A request: its progress each 100 ms, and its end. */
function came(requestId: string, purpose: Purpose, body: Came): SteeringEvent[] {
  const { startMs, firstMs, lastMs } = body;
  const events: SteeringEvent[] = [began(requestId, purpose, startMs)];
  for (let atMs = firstMs + 100; atMs <= lastMs; atMs += 100)
    events.push({ kind: 'progress', atMs, requestId, bytes: bytesUntil(body, atMs) });
  events.push({
    kind: 'ended',
    atMs: lastMs,
    requestId,
    pathway: pathwayOf(purpose),
    purpose,
    outcome: 'ok',
    bytes: bytesUntil(body, lastMs),
    startMs,
    firstByteMs: firstMs,
    lastByteMs: lastMs,
    protocol: purpose === 'media' ? 'h3' : 'h2',
    connectionReused: true,
  } as SteeringEvent);
  return events;
}

const inOrder = (...events: readonly SteeringEvent[][]): SteeringEvent[] =>
  events.flat().sort((one, other) => one.atMs - other.atMs);

const resultOf = (events: readonly SteeringEvent[]): string | undefined =>
  events.reduce(
    (state, event) => observe(state, event, DEFAULTS),
    startState({ pathways: PATHWAYS, seed: 1 }),
  ).probes['tcp']?.result;

describe('a probe on a link of 1100 kbit/s that both pathways share', () => {
  const before = came('s0', 'media', { startMs: 0, firstMs: 50, lastMs: 3000, kbps: 1080 });

  test('whose bytes come when the segment has ended is not added to what that got before', () => {
    const segment = came('s1', 'media', { startMs: 3000, firstMs: 3050, lastMs: 6000, kbps: 1080 });
    const probe = came('p', 'probe', { startMs: 5000, firstMs: 6000, lastMs: 6600, kbps: 1100 });
    const next = came('s2', 'media', { startMs: 6650, firstMs: 6700, lastMs: 9000, kbps: 1080 });
    expect(resultOf(inOrder(before, segment, probe, next))).toBe('worse');
    // Nothing may run until the probe has ended.
    expect(resultOf(inOrder(before, segment, probe))).toBe('worse');
  });

  test('beside which a segment ends is judged by what both got at the same time', () => {
    const shares = { kbps: 1080, laterKbps: 550 };
    const segment = came('s1', 'media', { startMs: 3000, firstMs: 3050, lastMs: 6000, ...shares });
    const probe = came('p', 'probe', { startMs: 5000, firstMs: 5300, lastMs: 6100, kbps: 550 });
    expect(resultOf(inOrder(before, segment, probe))).toBe('worse');
  });
});

test('where QUIC alone is limited, a probe shows it beside a segment, and after one', () => {
  const limited = came('s0', 'media', { startMs: 0, firstMs: 50, lastMs: 3000, kbps: 945 });
  const segment = came('s1', 'media', { startMs: 3000, firstMs: 3050, lastMs: 6000, kbps: 945 });
  const beside = came('p', 'probe', { startMs: 5000, firstMs: 5100, lastMs: 5800, kbps: 1000 });
  const after = came('p', 'probe', { startMs: 5900, firstMs: 6000, lastMs: 6400, kbps: 1900 });
  expect(resultOf(inOrder(limited, segment, beside))).toBe('weak');
  expect(resultOf(inOrder(limited, segment, after))).toBe('weak');
});
