import path from 'node:path';
import { buildApp } from '../../setup/buildApp.mjs';
import { ACCESS_LOG_LIMIT_BYTES } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { tools } from '../../lab/tools.ts';
import { hasDisplay } from '../serve/hasDisplay.ts';
import { openChromium } from '../serve/openChromium.ts';
import { signalled } from '../serve/signalled.ts';
import { openedLogs } from './openedLogs.ts';
import { formatOpened } from './formatOpened.ts';

export interface OpenOptions {
  readonly port: number;
  readonly window: boolean;
}

/** Where the page finds the list of what was opened. */
const LIST = 'logs.json';

/** Serves page and logs on loopback until Ctrl-C, SIGTERM, or until the opened browser is closed. */
export async function runOpen(root: string, paths: readonly string[], options: OpenOptions): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { mounts, addresses, report } = openedLogs(paths);
  await buildApp(root, print);
  const interrupted = signalled();
  const origin = await startCaddy({
    host: 'localhost',
    httpPort: options.port,
    httpsPort: 0,
    // Sessions are their owner's: no other page may read them.
    mounts: Object.fromEntries(
      Object.entries(mounts).map(([prefix, privateFolder]) => [prefix, { privateFolder }]),
    ),
    accessLogLimitBytes: ACCESS_LOG_LIMIT_BYTES,
    appFolder: path.join(root, 'dist'),
    answers: () => ({ [`/${LIST}`]: JSON.stringify(addresses) }),
  });
  try {
    const start = `${origin.httpUrl}/?logs=${LIST}`;
    print(formatOpened(start, { logs: addresses.length, report: report && `${origin.httpUrl}/${report}` }));
    const { chromium } = tools();
    const browser =
      options.window && chromium && hasDisplay() ? openChromium(chromium, { origin, start }) : null;
    await Promise.race([interrupted, ...(browser ? [browser.closed] : [])]);
    browser?.close();
  } finally {
    await origin.stop();
    print('Stopped.');
  }
}
