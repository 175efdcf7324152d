import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { CompareOptions } from './compareOptions.ts';
import { runPlaywright } from './runPlaywright.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { demoMounts } from '../../lab/content/contentMounts.ts';
import { requireTool } from '../../lab/tools.ts';
import { buildApp } from '../../setup/buildApp.mjs';
import type { CompareGroup, ComparePlan } from '../../e2e/compare/plan.ts';

/** Host names of the measured sessions: each has its own below this one, so that the access log tells them apart. */
const ORIGIN_HOST = 'origin.test';

export interface ToPlay extends Pick<ComparePlan, 'logDir' | 'seconds' | 'presetId'> {
  readonly outDir: string;
  /** `demoUrl` gives a cell its address on our own origin. */
  groups(demoUrl: (cellId: string) => string): CompareGroup[];
  /** Called when everything is ready, with the path of the browser. */
  ready?(chromiumPath: string): Promise<void>;
}

/** Builds the page, starts our origin and plays everything. Resolves to the exit code. */
export async function playAll(
  options: Pick<CompareOptions, 'workers' | 'shard'> & { root: string },
  { outDir, groups, ready, ...about }: ToPlay,
): Promise<number> {
  const chromiumPath = requireTool('chromium');
  mkdirSync(outDir, { recursive: true });
  await buildApp(options.root, (line: string) => void process.stdout.write(`${line}\n`));
  const origin = await startCaddy({
    host: ORIGIN_HOST,
    mounts: demoMounts(),
    appFolder: path.join(options.root, 'dist'),
    accessLogFile: path.join(outDir, accessLogName(options.shard)),
  });
  try {
    await ready?.(chromiumPath);
    return await runPlaywright(options, {
      ...about,
      chromiumPath,
      appUrl: `http://localhost:${origin.httpPort}/`,
      groups: groups((id) => `https://${id}.${ORIGIN_HOST}:${origin.httpsPort}/media/demo/manifest.mpd`),
      ownOrigin: { spkiSha256Base64: origin.spki, hostRules: `MAP *.${ORIGIN_HOST} 127.0.0.1` },
    });
  } finally {
    await origin.stop();
  }
}

/** Shards are merged by putting their folders together: no two may write a file of one name and other content. */
const accessLogName = (shard: string | undefined): string =>
  shard ? `origin-access-${shard.replace('/', '-of-')}.jsonl` : 'origin-access.jsonl';
