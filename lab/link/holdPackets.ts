import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { LinkEnd } from './controller.ts';

const run = promisify(execFile);
const TABLE = 'inet pitwall_hold';

/**
 * Lets no packet out of either end until it is released: a browser that has just started asks for names and looks about
 * in its network, and the first packet of all begins the link's profile.
 */
export async function holdPackets(ends: readonly LinkEnd[]): Promise<() => Promise<void>> {
  const rule = `add rule ${TABLE} out oifname != "lo" drop`;
  const hold = `add table ${TABLE}; add chain ${TABLE} out { type filter hook output priority 0; }; ${rule}`;
  for (const end of ends) await nft(end, hold);
  return async () => {
    for (const end of ends) await nft(end, `delete table ${TABLE}`);
  };
}

async function nft({ namespace }: LinkEnd, commands: string): Promise<void> {
  await run('ip', ['netns', 'exec', namespace, 'nft', commands]);
}
