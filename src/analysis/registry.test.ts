import { describe, expect, test } from 'vitest';
import { faultsOf } from '../registry.ts';
import { exampleLog } from '../telemetry/exampleLog.ts';
import { checkSession } from '../telemetry/schema/readSession.ts';
import { exampleSession, framesSeen, level, playback, rung, stalled } from './exampleEvents.ts';
import { metrics } from './registry.ts';

/** Every kind of session that a metric may meet. */
const LOGS = {
  'requests, nothing played': exampleLog(),
  'nothing at all': { ...exampleLog(), events: [] },
  'asked to play, never played': exampleSession([playback(10, 'play-requested')]),
  'an ordinary one': exampleSession([
    playback(10, 'play-requested'),
    playback(400, 'playing'),
    rung(450, 1),
    level(500, 2000),
    framesSeen(1000, 30, 1),
    stalled(5000, 700),
    playback(9000, 'stopped'),
  ]),
  'cut off in a stall': exampleSession([playback(10, 'playing'), stalled(500, null)]),
};

test('the registry has no faults', () => expect(faultsOf(metrics)).toEqual([]));

test.each(Object.entries(LOGS))('the log of these tests is valid: %s', (_name, log) => {
  const read = checkSession(log);
  expect(read.ok ? 'valid' : read.error).toBe('valid');
});

describe.each(metrics.map((metric) => [metric.id, metric] as const))('%s', (_id, metric) => {
  test('says its unit and its source', () => {
    expect(metric.unit).toBe(metric.unit.trim());
    expect(metric.paper.length).toBeGreaterThan(10);
    expect(['higher', 'lower', null]).toContain(metric.better);
  });
  test.each(Object.entries(LOGS))('is a number, or null with a sentence that says why: %s', (_name, log) => {
    const { value, why, by } = metric.of(log);
    if (value === null) expect(why).toMatch(/^[A-Z].*\.$/);
    else expect(Number.isFinite(value) && value >= 0).toBe(true);
    for (const part of Object.values(by ?? {})) expect(Number.isFinite(part)).toBe(true);
  });
  test('does not change the log', () => {
    const log = LOGS['an ordinary one'];
    const before = structuredClone(log);
    metric.of(log);
    expect(log).toEqual(before);
  });
});
