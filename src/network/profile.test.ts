import { describe, expect, it } from 'vitest';
import { type Profile, type Queue, queuePackets } from './profile.ts';

const step = { durationMs: 1000, downKbps: 5000, upKbps: null, rttMs: 50, lossDown: 0, lossUp: 0 };
const profile = (queue: Queue): Profile => ({
  id: 'test',
  label: 'Test',
  paper: 'none',
  steps: [step, { ...step, downKbps: 12_000, rttMs: 100 }, { ...step, downKbps: 20_000, rttMs: 10 }],
  repeat: false,
  queue,
});

describe('queuePackets', () => {
  it('takes packets as they are', () =>
    expect(queuePackets(profile({ kind: 'droptail', packets: 37 }), 'down')).toBe(37));
  it('counts BDPs of the step in which the product is largest', () =>
    // 12 Mbit/s × 100 ms = 1.2 Mbit = 100 packets of 1500 bytes.
    expect(queuePackets(profile({ kind: 'codel', bdp: 1.5 }), 'down')).toBe(150));
  it('holds at least one packet', () =>
    expect(queuePackets(profile({ kind: 'droptail', bdp: 0.001 }), 'down')).toBe(1));
  it('has none where nothing limits', () =>
    expect(queuePackets(profile({ kind: 'droptail', bdp: 1 }), 'up')).toBeNull());
});
