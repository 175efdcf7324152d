import { isSimulated } from '../../../src/telemetry/isSimulated.ts';
import { loadSource } from './loadSource.ts';
import { readText } from '../../../node/files.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { armOfRow } from '../../factors/columns.ts';
import { networkGroup } from '../../design/networks.ts';
import { sessionFiles } from '../../session/sessionFiles.ts';
import type { KnownSession } from '../../../src/analysis/prediction.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { metricColumn } from '../model/metricTables.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { parseCsv } from '../../../src/shared/csv.ts';
import { formatCount } from '../../../src/shared/format.ts';

/** A finished session of a campaign, and where its log is; null of a table. */
export interface ReadKnownSession extends KnownSession {
  readonly logFile: string | null;
}

interface ReadKnownSessions {
  readonly sessions: readonly ReadKnownSession[];
  /** A sentence for each place of which something was left out. */
  readonly notes: readonly string[];
}

/**
 * Reads the metrics of sessions from campaign folders, and from tables of sessions as `pitwall report --format csv` and
 * campaigns/results have them (.csv). Invalidated and A/A sessions are left out, as in the figures of a report; traces of one
 * household count as one network. @throws Error in one sentence
 */
export async function readKnownSessions(places: readonly string[]): Promise<ReadKnownSessions> {
  const sessions: ReadKnownSession[] = [];
  const notes: string[] = [];
  const placeOf = new Map<string, string>();
  for (const place of places) {
    const found = place.endsWith('.csv') ? await sessionsOfTable(place) : await sessionsOfFolder(place);
    const linked = found.filter(({ network }) => network !== '');
    const lacking = found.length - linked.length;
    if (lacking > 0)
      notes.push(`${place}: ${formatCount(lacking, 'session')} without an emulated link left out.`);
    for (const session of linked) {
      const other = placeOf.get(session.id);
      if (other !== undefined)
        throw new Error(`${place}: Session ${session.id} is in ${other}, too; name each session once.`);
      placeOf.set(session.id, place);
      sessions.push(session);
    }
  }
  return { sessions, notes };
}

/** The network is empty where there was none. */
async function sessionsOfFolder(folder: string): Promise<ReadKnownSession[]> {
  const { sessions } = await loadSource(folder);
  return sessions.map((session) => ({
    id: session.id,
    arm: session.design.arm,
    values: session.values,
    network: networkGroup(session.network ?? ''),
    machine: machineOf(session),
    logFile: sessionFiles(logDirOf(folder), session.id).log,
  }));
}

const machineOf = (session: SessionSummary): string | null =>
  isSimulated(session) ? 'simulator' : (session.environment.machine?.id ?? null);

const NEEDED_COLUMNS = ['session', 'rule', 'network', 'state'];
const AA_SESSION = 'A/A';

async function sessionsOfTable(file: string): Promise<ReadKnownSession[]> {
  const [names = [], ...rows] = parsed(file, await readText(file));
  const missing = NEEDED_COLUMNS.find((name) => !names.includes(name));
  if (missing !== undefined)
    throw new Error(
      `${file}: It has no column "${missing}"; name a table of sessions that "pitwall report --format csv" writes.`,
    );
  return rows
    .map((row) => new Map(names.map((name, column) => [name, row[column] ?? ''])))
    .filter((cells) => cells.get('state') === 'finished' && cells.get('A/A') !== AA_SESSION)
    .map((cells) => ({
      id: cells.get('session')!,
      arm: armOfRow(cells),
      network: networkGroup(cells.get('network')!),
      values: Object.fromEntries(
        metrics.map((metric) => [metric.id, numberIn(cells.get(metricColumn(metric).label))]),
      ),
      machine: null,
      logFile: null,
    }));
}

function parsed(file: string, text: string): string[][] {
  try {
    return parseCsv(text);
  } catch (error) {
    throw new Error(`${file}, ${(error as Error).message}`, { cause: error });
  }
}

const numberIn = (cell: string | undefined): number | null => {
  const value = cell === undefined || cell === '' ? NaN : Number(cell);
  return Number.isFinite(value) ? value : null;
};
