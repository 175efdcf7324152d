import path from 'node:path';
import type { ToPlay } from './playAll.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { cellOrigin } from './play/cellOrigin.ts';
import { ORIGIN_HOST, type ComparePlan, type SharedOrigin } from './play/plan.ts';

/** The origins on loopback that sessions without links share: one for each controller. */
export interface SharedOrigins extends Pick<ComparePlan, 'shared' | 'sharedBy'> {
  stop(): Promise<void>;
}

type Wanted = Pick<ToPlay, 'groups' | 'mounts' | 'outDir' | 'instrumented'> & {
  readonly appFolder: string;
  readonly shard: string | undefined;
};

/** @throws Error in one sentence when one of them does not start; the others are then stopped */
export async function sharedOrigins(wanted: Wanted): Promise<SharedOrigins> {
  const names = new Set(wanted.groups.flatMap(({ cells }) => cells.map(({ controller }) => controller)));
  const started: Origin[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((origin) => origin.stop()));
  };
  try {
    const found = new Map<string | undefined, SharedOrigin>();
    for (const name of names) found.set(name, await startOne(wanted, name, started));
    const named = [...found].flatMap(([name, shared]) =>
      name === undefined ? [] : [[name, shared] as const],
    );
    return { shared: found.get(undefined) ?? null, sharedBy: Object.fromEntries(named), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOne(
  { outDir, shard, instrumented, mounts, appFolder }: Wanted,
  controller: string | undefined,
  started: Origin[],
): Promise<SharedOrigin> {
  const logFile = (what: string): string => path.join(outDir, logName(what, controller, shard));
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
    ...(instrumented && { transportLogFile }),
  };
}

/** Shards are merged by putting their folders together: no two may write a file of one name and other content. */
const logName = (what: string, controller: string | undefined, shard: string | undefined): string =>
  [`origin-${what}`, controller?.replace(/[^\w-]+/g, '-'), shard?.replace('/', '-of-')]
    .filter((part) => part !== undefined)
    .join('-') + '.jsonl';
