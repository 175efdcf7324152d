import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { LinkEnd } from './controller.ts';

const run = promisify(execFile);

/**
 * What befalls UDP at the ends of the link, where packets come in: no sender ever learns of it. (A drop on the way out
 * would fail at the socket with EPERM.)
 */
export interface UdpFilter {
  /** kbit/s from server to client; 0 loses all UDP both ways; null lets it pass. */
  limit(kbps: number | null): Promise<void>;
}

const CHAIN = ['inet', 'pitwall', 'incoming'];
/** What passes at once after a pause: 2 s of the paper's 64 kbit/s, and never less than about ten packets. */
const burstBytesOf = (kbps: number): number => Math.max(16_000, Math.round(kbps * 250));

export async function createUdpFilter(client: LinkEnd, server: LinkEnd): Promise<UdpFilter> {
  const hook = `add chain ${CHAIN.join(' ')} { type filter hook input priority 0; }`;
  for (const end of [client, server]) await nft(end, `add table inet pitwall; ${hook}`);
  return {
    limit: async (kbps) => {
      // One transaction each: no moment without a rule between two limits.
      await nft(client, `flush chain ${CHAIN.join(' ')}${kbps === null ? '' : `; ${ruleOf(kbps)}`}`);
      await nft(server, `flush chain ${CHAIN.join(' ')}${kbps === 0 ? `; ${ruleOf(0)}` : ''}`);
    },
  };
}

function ruleOf(kbps: number): string {
  const rule = `add rule ${CHAIN.join(' ')} meta l4proto udp`;
  if (kbps === 0) return `${rule} counter drop`;
  const rate = `${Math.round((kbps * 1000) / 8)} bytes/second`;
  return `${rule} limit rate over ${rate} burst ${burstBytesOf(kbps)} bytes counter drop`;
}

async function nft({ namespace }: LinkEnd, commands: string): Promise<void> {
  await run('ip', ['netns', 'exec', namespace, 'nft', commands]);
}
