import type { Figure } from '../figure.ts';
import { bulkPath } from '../load/bulkFolder.ts';
import { type LoadResult, runLoad } from '../load/runLoad.ts';
import { loadProtocols, type LoadProtocol } from '../../lab/load/loadProgram.ts';
import { plainTable } from '../../node/textTable.ts';
import { originNames, withBothOrigins, type BothOrigins, type OriginName } from './bothOrigins.ts';
import type { OriginSection } from './originSection.ts';
import { processUse, whileWatching } from './processUse.ts';

interface Measured {
  readonly origin: OriginName;
  readonly protocol: LoadProtocol;
  readonly opened: number;
  /** Connections that ended before the time was over, or never opened. */
  readonly failures: number;
  readonly reasons: readonly Reason[];
  /** The connection that got least, against what its rate would have been. */
  readonly minShare: number;
  readonly residentBeforeBytes: number;
  readonly residentPeakBytes: number;
  readonly cpuSeconds: number;
}

/** Why clients failed, and when, from the beginning. */
interface Reason {
  readonly why: string;
  readonly count: number;
  readonly firstS: number;
  readonly lastS: number;
}

const CLIENTS = 500;
const SECONDS = 60;
/** A second's worth of a low rung: each client reads this fast, and the server may be no more than a window ahead. */
const READ_KBPS = 200;
const WINDOW_BYTES = 65_536;
const MEGABYTE = 1e6;

/** Whether many slow readers at once are served, and what memory they take. */
export const slowSection: OriginSection = {
  id: 'slow',
  label: `${CLIENTS} clients at once that read at ${READ_KBPS} kbit/s for ${SECONDS} s, on loopback`,
  async measure({ quick, say }) {
    const measured: Measured[] = [];
    for (const protocol of loadProtocols)
      for (const origin of originNames) {
        say(`${origin}, ${protocol}`);
        // Fresh processes: memory that others left would count.
        measured.push(await withBothOrigins((origins) => measure(origins, { origin, protocol, quick })));
      }
    return { text: table(measured), figures: measured.map(failureFigure), raw: measured };
  },
};

interface What extends Pick<Measured, 'origin' | 'protocol'> {
  readonly quick: boolean;
}

async function measure(origins: BothOrigins, { origin, protocol, quick }: What): Promise<Measured> {
  const { pid, httpsPort, host } = origins[origin];
  if (pid === null) throw new Error(`${origin} has ended`);
  const seconds = quick ? 5 : SECONDS;
  const before = processUse(pid);
  const loading = runLoad({
    protocol,
    host,
    seconds,
    address: `127.0.0.1:${httpsPort}`,
    path: bulkPath('endless.bin'),
    connections: CLIENTS,
    readKbps: READ_KBPS,
    windowBytes: WINDOW_BYTES,
    progressMs: 1000,
  });
  const { result, peakBytes } = await whileWatching(pid, loading);
  return {
    origin,
    protocol,
    opened: result.opened.length,
    failures: result.failures.length,
    reasons: reasonsOf(result),
    minShare: minShare(result, seconds),
    residentBeforeBytes: before.residentBytes,
    residentPeakBytes: peakBytes,
    cpuSeconds: processUse(pid).cpuSeconds - before.cpuSeconds,
  };
}

function reasonsOf({ failures, progress }: LoadResult): Reason[] {
  const beganAtUnixMs = progress[0]?.atUnixMs ?? 0;
  const whys = [...new Set(failures.map(({ why }) => why))];
  return whys.map((why) => {
    const alike = failures.filter((failure) => failure.why === why);
    const afterS = alike.map(({ atUnixMs }) => (atUnixMs - beganAtUnixMs) / 1000);
    return { why, count: alike.length, firstS: Math.min(...afterS), lastS: Math.max(...afterS) };
  });
}

function minShare({ answers, opened }: LoadResult, seconds: number): number {
  const askedBytes = (READ_KBPS * 1000 * seconds) / 8;
  if (answers.length < opened.length || answers.length === 0) return 0;
  return Math.min(...answers.map(({ bytes }) => bytes)) / askedBytes;
}

function table(all: readonly Measured[]): string {
  const rows = all.map((each) => [
    `${each.protocol}: ${each.origin}`,
    String(each.opened),
    String(each.failures),
    `${(each.minShare * 100).toFixed(0)} %`,
    (each.residentBeforeBytes / MEGABYTE).toFixed(0),
    (each.residentPeakBytes / MEGABYTE).toFixed(0),
    ((each.residentPeakBytes - each.residentBeforeBytes) / 1000 / CLIENTS).toFixed(0),
    each.cpuSeconds.toFixed(1),
  ]);
  const reasons = all.flatMap(({ protocol, origin, reasons: whys }) =>
    whys.map(
      ({ why, count, firstS, lastS }) =>
        `  ${protocol}, ${origin}: ${count} times after ${firstS.toFixed(1)} to ${lastS.toFixed(1)} s: ${why}`,
    ),
  );
  const head = ['', 'open', 'failed', 'slowest got', 'MB before', 'MB at most', 'kB a client', 'CPU s'];
  return [plainTable(head, rows), ...reasons].join('\n');
}

const failureFigure = ({ origin, protocol, failures, opened }: Measured): Figure => ({
  id: `slow-${protocol}-${origin}`,
  label: `${protocol}, ${origin}: clients with an error`,
  unit: '',
  value: Math.max(failures, CLIENTS - opened),
  interval: null,
  goalMax: origin === 'instrumented' ? 0 : null,
});
