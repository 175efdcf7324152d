import { csvLine } from '../../src/shared/csv.ts';
import { runningMeans, sessionWindows } from '../../src/analysis/windows/sessionWindows.ts';
import { tcpClassOf } from '../../src/analysis/transport/protocol.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

export const windowsCsvHead = csvLine([
  'file',
  'session',
  'window',
  'fromMs',
  'toMs',
  'tcpShare',
  'tcpClass',
  'qualityDropS',
  'stallS',
  'bitrateKbps',
  'runningBitrateKbps',
  'runningVariationKbps',
  'runningStallS',
]);

/** The windows of a session, a row each, with the running means up to them. */
export function windowsCsv(file: string, log: SessionLog): string {
  const windows = sessionWindows(log);
  const means = runningMeans(windows);
  return windows
    .map(({ fromMs, toMs, tcpShare, qualityDropS, stallS, bitrateKbps }, index) => {
      const mean = means[index]!;
      const tcp = [tcpShare, tcpShare === null ? null : tcpClassOf(tcpShare)];
      const running = [mean.bitrateKbps, mean.variationKbps, mean.stallS];
      return csvLine([
        file,
        log.id,
        index + 1,
        fromMs,
        toMs,
        ...tcp,
        qualityDropS,
        stallS,
        bitrateKbps,
        ...running,
      ]);
    })
    .join('');
}
