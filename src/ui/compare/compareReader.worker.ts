import { measuredMetrics } from '../../analysis/comparison/measuredMetrics.ts';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import { failed, ok, type Result } from '../../shared/result.ts';
import { readSessionLog } from '../../analysis/deriveScreen.ts';
import type { ReadLog } from './openLogs.ts';

/** Reads logs beside the page, one after the other, and measures them. */
addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  void read(data)
    .catch((fault: unknown) => failed(`The browser could not read it (${String(fault)}).`))
    .then((result) => postMessage(result));
});

async function read(file: Blob): Promise<Result<ReadLog>> {
  const log = readSessionLog(await file.text());
  if (!log.ok) return log;
  const { events, ...header } = log.value;
  return ok({ header, series: seriesOf({ ...header, events }), metrics: measuredMetrics(log.value) });
}
