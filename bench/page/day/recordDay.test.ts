import { describe, expect, test } from 'vitest';
import { recordDay, type DayOptions } from './recordDay.ts';
import { createRecorder } from '../../../src/telemetry/recorder/recorder.ts';
import { checkSession } from '../../../src/telemetry/schema/readSession.ts';
import type { SessionEvent, SessionHeader } from '../../../src/telemetry/schema/sessionLog.ts';

const OPTIONS: DayOptions = {
  seed: 24,
  segments: 900,
  segmentMs: 4000,
  sampleEveryMs: { buffer: 250, playback: 500, frames: 2000 },
};

const HEADER: SessionHeader = {
  schema: 'pitwall-session/2',
  id: 's-synthetic',
  clock: { startedAtUnixMs: 0, timeOriginUnixMs: 0 },
  parts: [{ startMs: 0, endMs: null, gapMs: 0, timeOriginUnixMs: 0 }],
  environment: {
    pitwallVersion: '0.0.0-test',
    ...environmentNulls(),
    missing: Object.fromEntries(
      Object.keys(environmentNulls()).map((name) => [name, 'not-reported'] as const),
    ),
  },
  design: null,
};

function environmentNulls() {
  return {
    dashjsVersion: null,
    browser: null,
    userAgent: null,
    transport: null,
    mpdUrl: null,
    rule: null,
    ruleParameters: null,
    preset: null,
    settings: null,
    tcpController: null,
    quicController: null,
    link: null,
    traceOptimum: null,
  };
}

function recorded(options: DayOptions): SessionEvent[] {
  const events: SessionEvent[] = [];
  const recorder = createRecorder({ onEvent: (event) => void events.push(event) });
  Array.from(recordDay(options, (draft) => recorder.record(draft)));
  return events;
}

describe('the synthetic day', () => {
  const events = recorded(OPTIONS);
  const count = (kind: SessionEvent['kind']): number => events.filter((event) => event.kind === kind).length;

  test('is a valid log', () => {
    const log = checkSession({ ...HEADER, events });
    expect(log.ok ? 'valid' : log.error).toBe('valid');
  });

  test('has a request and a decision per segment and media type, and samples at the rate asked for', () => {
    expect(count('request')).toBe(1800);
    expect(count('decision')).toBe(1800);
    expect(count('buffer')).toBe(900 * 16 * 2);
    expect(count('playback')).toBe(900 * 8);
    expect(count('frames')).toBe(900 * 2);
  });

  test('is the same for the same seed and another for another', () => {
    expect(recorded({ ...OPTIONS, segments: 50 })).toEqual(recorded({ ...OPTIONS, segments: 50 }));
    expect(recorded({ ...OPTIONS, segments: 50, seed: 1 })).not.toEqual(
      recorded({ ...OPTIONS, segments: 50 }),
    );
  });

  test('moves through rungs and both protocols', () => {
    const requests = events.filter((event) => event.kind === 'request');
    expect(new Set(requests.map(({ protocol }) => protocol))).toEqual(new Set(['h2', 'h3']));
    expect(new Set(requests.map(({ rung }) => rung)).size).toBeGreaterThan(4);
  });
});
