import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { LinkEnd } from './controller.ts';

const run = promisify(execFile);

/** Profiles may begin with a large delay, a low rate and loss. */
const TIMEOUT_MS = 30_000;

/** Resolves when the server's end has answered the client's. @throws Error when it does not. */
export async function waitUntilAnswering(client: LinkEnd, server: LinkEnd): Promise<void> {
  const args = ['netns', 'exec', client.namespace, process.execPath, '-e', ASK, server.address];
  await run('ip', args, { timeout: TIMEOUT_MS }).catch((error: unknown) => {
    throw new Error(`The emulated link did not answer within ${TIMEOUT_MS / 1000} s.`, { cause: error });
  });
}

/** Nobody listens on the discard port: the refusal is the answer. A new question every second, as the first may be lost. */
const ASK = `
const ask = () => require('node:net').connect(9, process.argv[1])
  .on('error', ({ code }) => code === 'ECONNREFUSED' && process.exit(0));
ask();
setInterval(ask, 1000);`;
