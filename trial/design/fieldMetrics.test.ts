// A metric of the field is that of the log: a beacon has all that a trial metric reads.
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { summarizeSession } from '../../src/analysis/sessionSummary.ts';
import { pick } from '../../src/shared/registry.ts';
import { valueOf } from '../../src/shared/result.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { trialMetrics } from './trialMetrics.ts';

const FOLDER = new URL('../../public/sessions/', import.meta.url);
const RECORDED = readdirSync(FOLDER).map((name): [string, SessionLog] => [
  name,
  valueOf(readSession(gunzipSync(readFileSync(new URL(name, FOLDER))).toString())),
]);
const SHARED = trialMetrics.filter(({ id }) => metrics.some((metric) => metric.id === id));

/** What was recorded of a session until a moment, as a page that was killed leaves it. */
const cutAt = (log: SessionLog, endMs: number): SessionLog => ({
  ...log,
  parts: log.parts.map((part) => ({ ...part, endMs: null })),
  events: log.events.filter(({ atMs }) => atMs <= endMs),
});

describe.each(RECORDED)('%s', (_, log) => {
  const moments = [Infinity, 500, 1500, 4000, 20_000, 60_000, 61_500];

  test.each(moments)('has the metrics of its log, until %d ms', (endMs) => {
    const whole = endMs === Infinity ? log : cutAt(log, endMs);
    const summary = summarizeSession(whole);
    for (const { id, of } of SHARED) {
      const { value, lowerBound = false } = pick(metrics, id).of(whole);
      // A join time that did not end is a session that left before the first frame.
      const isCensored = id === 'join-time' && lowerBound;
      expect([id, summary && of(summary)]).toEqual([id, isCensored ? null : value]);
    }
    const { h3Bytes = 0, tcpBytes = 0 } = summary ?? {};
    const share = h3Bytes + tcpBytes > 0 ? (100 * tcpBytes) / (h3Bytes + tcpBytes) : null;
    expect(share).toBe(summary && pick(metrics, 'tcp-share').of(whole).value);
  });
});

test('compares something', () => {
  expect(SHARED.map(({ id }) => id)).toEqual([
    'rebuffer-rate',
    'join-time',
    'mean-bitrate',
    'rebuffer-count',
  ]);
  const summaries = RECORDED.map(([, log]) => summarizeSession(log)!);
  expect(summaries.filter(({ joinMs }) => joinMs !== null)).toHaveLength(RECORDED.length);
  expect(summaries.some(({ stalls }) => stalls > 0)).toBe(true);
  expect(summaries.some(({ h3Bytes, tcpBytes }) => h3Bytes > 0 && tcpBytes > 0)).toBe(true);
});
