import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { LinkEnd } from './controller.ts';

const run = promisify(execFile);

/** 10.1.1.1 and .2 are Rattan's own (rattan-env, env.rs). */
const FIRST = 3;
const LAST = 254;

/**
 * Gives the client's end another address and takes the old one away, as a phone that leaves its WiFi. What is sent to the
 * old one reaches nobody. Replies to the new one take the server's default route, which leads over the link.
 */
export async function changeClientAddress(client: LinkEnd): Promise<string> {
  const ip = async (...args: string[]): Promise<string> =>
    (await run('ip', ['-n', client.namespace, ...args])).stdout;
  const now = await ip('-oneline', '-4', 'address', 'show', 'scope', 'global');
  const [, device, address] = /^\d+: (\S+)\s+inet ([\d.]+)/m.exec(now) ?? [];
  if (!device || !address) throw new Error(`${client.namespace} has no address: ${now.trim()}`);
  const next = nextAddress(address);
  await ip('address', 'add', `${next}/32`, 'dev', device);
  await ip('address', 'del', `${address}/32`, 'dev', device);
  return next;
}

function nextAddress(address: string): string {
  const last = Number(address.split('.').at(-1));
  const network = address.slice(0, address.lastIndexOf('.'));
  return `${network}.${last < FIRST || last >= LAST ? FIRST : last + 1}`;
}
