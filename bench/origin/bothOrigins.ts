import { execFileSync } from 'node:child_process';
import { BULK_PREFIX, bulkFolder } from '../load/bulkFolder.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { startInstrumentedOrigin } from '../../lab/origin/startInstrumentedOrigin.ts';

export const originNames = ['caddy', 'instrumented'] as const;
export type OriginName = (typeof originNames)[number];
export type BothOrigins = Readonly<Record<OriginName, Origin>>;

const SERVER_CORE = 0;
/** For `runLoad`. */
export const CLIENT_CORE = 1;

/**
 * Starts both beside each other on loopback, each kept to the first core from its start on, so that its runtime plans for
 * one and the client has the other to itself. Both are stopped in the end.
 */
export async function withBothOrigins<T>(work: (origins: BothOrigins) => Promise<T>): Promise<T> {
  const bulk = bulkFolder();
  const options = { mounts: { [BULK_PREFIX]: bulk.folder }, addresses: ['127.0.0.1'] };
  const started: Origin[] = [];
  const own = affinityOf(process.pid);
  try {
    // Children inherit it.
    keepTo(String(SERVER_CORE));
    const caddy = await startCaddy(options);
    started.push(caddy);
    const instrumented = await startInstrumentedOrigin(options);
    started.push(instrumented);
    keepTo(own);
    return await work({ caddy, instrumented });
  } finally {
    keepTo(own);
    for (const origin of started) await origin.stop();
    bulk.remove();
  }
}

const affinityOf = (pid: number): string =>
  execFileSync('taskset', ['-pc', String(pid)], { encoding: 'utf8' })
    .trim()
    .split(': ')
    .at(-1) ?? '0';
const keepTo = (cores: string): void =>
  void execFileSync('taskset', ['-apc', cores, String(process.pid)], { stdio: 'pipe' });
