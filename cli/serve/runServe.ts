import path from 'node:path';
import { buildApp } from '../../setup/buildApp.mjs';
import { type ServeOptions, originStarts } from './serveOptions.ts';
import { hasDisplay } from './hasDisplay.ts';
import { mpdsIn } from './mpdsIn.ts';
import { chromiumCommand, openChromium } from './openChromium.ts';
import { signalled } from './signalled.ts';
import { pageFacts } from './pageFacts.ts';
import { formatServed } from './formatServed.ts';
import { ACCESS_LOG_LIMIT_BYTES } from '../../lab/caddy/origin.ts';
import { demoMounts } from '../../lab/content/demoMounts.ts';
import { tools } from '../../lab/tools.ts';

const HOST = 'localhost';

/** Serves until Ctrl-C, SIGTERM, or until the opened browser is closed. */
export async function runServe(
  options: ServeOptions & { root: string; contentDir: string | null },
): Promise<void> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const mpds = options.contentDir === null ? null : mpdsIn(options.contentDir);
  await buildApp(options.root, print);
  const interrupted = signalled();
  const origin = await originStarts[options.origin](
    {
      host: HOST,
      httpPort: options.port,
      httpsPort: options.httpsPort,
      mounts: { ...demoMounts(), ...(options.contentDir ? { '/content': options.contentDir } : {}) },
      accessLogLimitBytes: ACCESS_LOG_LIMIT_BYTES,
      appFolder: path.join(options.root, 'dist'),
      answers: (ports) => ({ '/pitwall.json': JSON.stringify(pageFacts(HOST, ports)) }),
    },
    options,
  );
  try {
    const start = `${origin.httpUrl}/`;
    const { chromium } = tools();
    const command = chromium && chromiumCommand(chromium, { origin, start });
    print(formatServed(origin, { start, chromium: command, mpds }));
    const browser =
      options.open && chromium && hasDisplay() ? openChromium(chromium, { origin, start }) : null;
    await Promise.race([interrupted, ...(browser ? [browser.closed] : [])]);
    browser?.close();
  } finally {
    await origin.stop();
    print('Stopped.');
  }
}
