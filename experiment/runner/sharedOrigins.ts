import path from 'node:path';
import type { Origin } from '../../lab/caddy/origin.ts';
import { cellOrigin } from '../session/cellOrigin.ts';
import { suffixOf, type Part } from '../session/lock/part.ts';
import {
  appFolderOf,
  ORIGIN_HOST,
  sharedKey,
  type CompareCell,
  type ComparePlan,
  type SharedOrigin,
} from '../session/plan.ts';

/** The origins on loopback that sessions without links share: one for each controller and page. */
export interface SharedOrigins extends Pick<ComparePlan, 'shared' | 'sharedBy'> {
  readonly started: readonly Origin[];
  stop(): Promise<void>;
}

/** Origins of sessions over links, which share none. */
export const NO_ORIGINS: SharedOrigins = { shared: null, started: [], stop: () => Promise.resolve() };

interface Wanted extends Pick<ComparePlan, 'mounts' | 'instrumented' | 'appFolder' | 'pages'> {
  readonly cells: readonly CompareCell[];
  /** The folder of the run, for the logs of origins. */
  readonly outDir: string;
  readonly part: Part;
}

/** Starts the shared origins. @throws Error in one sentence when one of them does not start; the others are then stopped */
export async function startSharedOrigins(wanted: Wanted): Promise<SharedOrigins> {
  const kinds = new Map(wanted.cells.map((cell) => [sharedKey(cell), cell]));
  const started: Origin[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((origin) => origin.stop()));
  };
  try {
    const found = new Map<string, SharedOrigin>();
    for (const [key, cell] of kinds) found.set(key, await startOne(wanted, cell, started));
    const shared = found.get('') ?? null;
    found.delete('');
    return { shared, sharedBy: Object.fromEntries(found), started, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOne(
  { outDir, part, instrumented, mounts, ...wanted }: Wanted,
  cell: CompareCell,
  started: Origin[],
): Promise<SharedOrigin> {
  const { controller } = cell;
  const appFolder = appFolderOf(wanted, cell);
  const logFile = (what: string): string => path.join(outDir, logName(what, sharedKey(cell), part));
  const transportLogFile = logFile('transport');
  const { start } = cellOrigin(instrumented, controller === undefined ? {} : { controller });
  const origin = await start(
    { host: ORIGIN_HOST, mounts, appFolder, accessLogFile: logFile('access') },
    transportLogFile,
  );
  started.push(origin);
  return {
    appUrl: `http://localhost:${origin.httpPort}/`,
    httpsPort: origin.httpsPort,
    spkiSha256Base64: origin.spki,
    accessLogFile: origin.accessLogFile,
    pidFile: origin.pidFile,
    ...(instrumented && { transportLogFile }),
  };
}

/** Names an origin's log. Folders of parts are put together: no two may write a file of one name and other content. */
const logName = (what: string, key: string, part: Part): string =>
  [`origin-${what}`, key.replace(/[^\w-]+/g, '-')].filter((word) => word !== '').join('-') +
  `${suffixOf(part)}.jsonl`;
