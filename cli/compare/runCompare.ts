import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { CompareOptions } from './compareOptions.ts';
import { compareTable } from './compareTable.ts';
import { offerTable } from './offerTable.ts';
import { runPlaywright } from './runPlaywright.ts';
import { sessionCells } from './sessionCells.ts';
import { probeOffers } from '../../lab/browser/probeOffers.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { demoMounts } from '../../lab/content/contentMounts.ts';
import { requireTool } from '../../lab/tools.ts';
import { buildApp } from '../../setup/buildApp.mjs';
import type { ComparePlan } from '../../e2e/compare/plan.ts';

/** Host names of the measured sessions: each has its own below this one, so that the access log tells them apart. */
const ORIGIN_HOST = 'origin.test';

/** Runs the comparison and prints its table. Resolves to the exit code. */
export async function runCompare(options: CompareOptions & { root: string }): Promise<number> {
  const outDir = path.resolve(options.out ?? path.join('runs', timeStamp()));
  const chromiumPath = requireTool('chromium');
  mkdirSync(outDir, { recursive: true });
  await buildApp(options.root, print);
  const origin = await startCaddy({
    host: ORIGIN_HOST,
    mounts: demoMounts(),
    appFolder: path.join(options.root, 'dist'),
    accessLogFile: path.join(outDir, 'origin-access.jsonl'),
  });
  try {
    const plan = planOf(options, { origin, outDir, chromiumPath });
    if (options.mpd) await sayOffers(options.mpd, chromiumPath);
    print(
      `${plan.cells.length} sessions of ${options.seconds} s each; logs go to ${path.relative('.', outDir)}`,
    );
    const code = await runPlaywright(options, plan);
    print(compareTable(plan));
    return code;
  } finally {
    await origin.stop();
  }
}

/** @throws Error when the origin answers in no mode: sessions would only repeat that. */
async function sayOffers(mpdUrl: string, chromiumPath: string): Promise<void> {
  const probed = await probeOffers(mpdUrl, { chromiumPath });
  print(offerTable(probed));
  if (probed.offers.every(({ protocols }) => protocols.length === 0))
    throw new Error(
      `${mpdUrl} cannot be reached in any mode: is the address right, and its certificate trusted?`,
    );
}

function planOf(
  options: CompareOptions,
  { origin, outDir, chromiumPath }: { origin: Origin; outDir: string; chromiumPath: string },
): ComparePlan {
  return {
    outDir,
    chromiumPath,
    seconds: options.seconds,
    presetId: options.preset,
    appUrl: `http://localhost:${origin.httpPort}/`,
    cells: sessionCells(options, (id) => options.mpd ?? demoUrl(origin, id)),
    spkiSha256Base64: options.mpd ? null : origin.spki,
    hostRules: options.mpd ? null : `MAP *.${ORIGIN_HOST} 127.0.0.1`,
  };
}

const demoUrl = (origin: Origin, cellId: string): string =>
  `https://${cellId}.${ORIGIN_HOST}:${origin.httpsPort}/media/demo/manifest.mpd`;

const timeStamp = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');

const print = (line: string): void => void process.stdout.write(`${line}\n`);
