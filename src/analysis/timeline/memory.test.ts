import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import { createDiagnostics, type Diagnostics } from '../diagnostics/diagnostics.ts';
import { exampleDay } from './example.testing.ts';
import { createSeries, type SessionSeries } from './series.ts';
import { appendEvent } from './appendEvent.ts';

const MEGABYTE = 1e6;
const DAY_SEGMENTS = 21_600;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Columns lie outside the heap that V8 counts by itself. */
function usedBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function foldedDay(segments: number): { series: SessionSeries; diagnostics: Diagnostics } {
  const { parts, environment } = exampleLog();
  const [series, diagnostics] = [createSeries(parts), createDiagnostics({ parts, environment })];
  for (const event of exampleDay(segments)) {
    appendEvent(series, event);
    diagnostics.append(event);
  }
  return { series, diagnostics };
}

test('a day of playback, 43,200 requests with their decisions and all samples, takes at most 40 MB', () => {
  foldedDay(50);
  const before = usedBytes();
  const day = foldedDay(DAY_SEGMENTS);
  const grownMb = (usedBytes() - before) / MEGABYTE;
  // Below 3 MB the rows alone would not fit: then it was the measurement that failed.
  expect(day.series.requests.length).toBe(2 * DAY_SEGMENTS + 1);
  expect(grownMb).toBeGreaterThan(3);
  expect(grownMb, `${grownMb.toFixed(1)} MB`).toBeLessThanOrEqual(40);
});
