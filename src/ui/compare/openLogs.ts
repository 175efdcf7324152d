import { MAX_SESSIONS } from '../../charts/compare/sessionLooks.ts';
import { html } from '../dom.ts';
import type { CompareElements } from './compareElements.ts';
import type { LogSource } from './logSources.ts';
import type { Wanted } from '../files/fileReader.worker.ts';
import { startReader } from '../files/startReader.ts';
import { formatCount } from '../../shared/format.ts';
import { failed, type Result } from '../../shared/result.ts';
import type { MeasuredMetric } from '../../analysis/comparison/measuredMetrics.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';

/** A session on show in the compare view. */
export interface OpenSession {
  readonly source: LogSource;
  readonly log: ReadLog;
}

/** What the compare view keeps of a log: the events themselves stay with the worker that read them, and go. */
export interface ReadLog {
  readonly header: SessionHeader & Pick<LogSource, 'compared'>;
  readonly series: SessionSeries;
  readonly metrics: readonly MeasuredMetric[];
}

/** Bands of arms take more: what limits them is memory, 1 MB for an hour of a session. */
const MAX_IN_ARMS = 240;

/**
 * Reads logs up to the limit, tells how far it is, and says in a sentence each what was not opened. The answer
 * is what was. Logs of one campaign have another limit where `isBanded` says of all sessions that they are shown by arm.
 */
export async function openLogs(
  { reading, progress, progressText, notices }: CompareElements,
  { sources, faults, open, isBanded }: Opening,
): Promise<OpenSession[]> {
  const readings: Reading[] = [];
  const opened = (): OpenSession[] => readings.flatMap(openedOf);
  const readUpTo = async (limit: number): Promise<void> => {
    const [before, taken] = [readings.length, sources.slice(0, Math.max(0, limit - open.length))];
    const tell = (done: number): void => {
      progress.value = before + done;
      progressText.textContent = `${before + done} of ${formatCount(taken.length, 'log')} read`;
    };
    reading.hidden = taken.length === 0;
    progress.max = Math.max(1, taken.length);
    tell(0);
    readings.push(...(await readLogs(taken.slice(before), tell)));
    reading.hidden = true;
  };
  notices.replaceChildren();
  await readUpTo(MAX_SESSIONS);
  let limit = MAX_SESSIONS;
  if (sources.length > readings.length && isOneCampaign([...open, ...opened()])) {
    await readUpTo(MAX_IN_ARMS);
    if (isBanded([...open, ...opened()])) limit = MAX_IN_ARMS;
  }
  const free = Math.max(0, limit - open.length);
  readings.splice(free);
  const refused = readings.flatMap(({ source: { name }, result }) =>
    result.ok ? [] : [`${name} was not opened. ${result.error}`],
  );
  const sentences = [
    ...faults,
    ...(sources.length > free ? [tooMany(sources.length, free, Math.max(limit, open.length))] : []),
    ...refused,
  ];
  notices.replaceChildren(...sentences.map((sentence) => html('li', {}, sentence)));
  return opened();
}

interface Opening {
  readonly sources: readonly LogSource[];
  readonly faults: readonly string[];
  /** What is open already. */
  readonly open: readonly OpenSession[];
  readonly isBanded: (sessions: readonly OpenSession[]) => boolean;
}

const isOneCampaign = ([first, ...others]: readonly OpenSession[]): boolean => {
  const campaignOf = ({ log }: OpenSession): string | undefined => log.header.design?.campaign;
  const campaign = first && campaignOf(first);
  return campaign !== undefined && others.every((each) => campaignOf(each) === campaign);
};

const openedOf = ({ source, result }: Reading): OpenSession[] =>
  result.ok
    ? [{ source, log: { ...result.value, header: { ...result.value.header, compared: source.compared } } }]
    : [];

function tooMany(count: number, free: number, max: number): string {
  return free === 0
    ? `${max} sessions are open already: close some to open others.`
    : `${max} sessions are the maximum: only the first ${free} of ${count} logs were opened.`;
}

interface Reading {
  readonly source: LogSource;
  readonly result: Result<ReadLog>;
}

/** Characters a browser's string can hold (V8: 2^29 − 24), rounded down. */
const LARGEST_BYTES = 500e6;
/** More would only wait for each other's memory. */
const MAX_WORKERS = 4;

/** Reads logs in workers, several at a time; results come in the order of the sources. A bad log is a sentence. */
async function readLogs(sources: readonly LogSource[], onDone: (done: number) => void): Promise<Reading[]> {
  const readings = new Array<Reading>(sources.length);
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    let worker = startReader();
    try {
      while (next < sources.length) {
        const place = next;
        next += 1;
        const source = sources[place]!;
        const result = await readOne(source, worker).catch((fault: unknown) => {
          // A worker that stopped answers no more.
          worker.terminate();
          worker = startReader();
          return failed(String(fault));
        });
        readings[place] = { source, result };
        done += 1;
        onDone(done);
      }
    } finally {
      worker.terminate();
    }
  };
  const workers = Math.min(sources.length, MAX_WORKERS, Math.max(1, navigator.hardwareConcurrency - 1));
  await Promise.all(Array.from({ length: workers }, work));
  return readings;
}

async function readOne(source: LogSource, worker: Worker): Promise<Result<ReadLog>> {
  const file = await source.file();
  if (!file.ok) return file;
  if (file.value.size > LARGEST_BYTES)
    return failed('It is larger than 500 MB, which a page cannot read at once.');
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Result<ReadLog>>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`The reader stopped: ${message}`));
    worker.postMessage({ measure: file.value } satisfies Wanted);
  });
}
