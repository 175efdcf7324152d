import { existsSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Page } from '@playwright/test';
import { labBrowser } from '../../lab/browser/registry.ts';
import type { Mount, Origin, OriginOptions } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { requireTool } from '../../lab/tools.ts';
import { pick } from '../../src/shared/registry.ts';
import { buildApp } from '../../setup/buildApp.mjs';

const HOST = 'localhost';
const DEMO = '/media/demo/manifest.mpd';

/** Where a bench measures: the built page, the bench's own pages, and the demo stream. */
export interface Place {
  /** The page to open, set up for the demo stream. */
  address(page: PageName, query?: Readonly<Record<string, string>>): string;
  /** A second origin with the same files: another pathway (docs/steering.md). */
  readonly pathwayUrl: string;
  /** A browser of its own: no cache, connection or recording is left from the one before. */
  open(viewport: Viewport): Promise<Tab>;
  stop(): Promise<void>;
}

export type PageName = 'bare' | 'telemetry' | 'day' | 'full';

export interface Viewport {
  readonly width: number;
  readonly height: number;
}

export interface Tab {
  readonly page: Page;
  readonly devtools: CDPSession;
  close(): Promise<void>;
}

interface PlaceOptions {
  readonly mounts: Readonly<Record<string, Mount>>;
  readonly print: (line: string) => void;
}

export async function preparePlace(root: string, { mounts, print }: PlaceOptions): Promise<Place> {
  await buildApp(root, print);
  await buildPages(root);
  return servePlace(root, mounts);
}

/**
 * Builds the pages of another checkout with its own packages and sources, and serves them with the media of this one.
 *
 * @throws Error where the folder is no checkout that is set up
 */
export async function prepareOtherPlace(folder: string, { mounts, print }: PlaceOptions): Promise<Place> {
  const root = path.resolve(folder);
  const missing = ['bench/page/telemetry.html', 'node_modules/vite'].find(
    (name) => !existsSync(path.join(root, name)),
  );
  if (missing)
    throw new Error(
      `--beside ${folder}: has no ${missing}; name a checkout of Pitwall after \`npm run setup\` there`,
    );
  print(`building the pages of ${folder}`);
  const { build } = await import('vite');
  await build({ root, configFile: path.join(root, 'vite.config.ts'), logLevel: 'error' });
  await buildPages(root);
  return servePlace(root, mounts);
}

async function servePlace(root: string, mounts: PlaceOptions['mounts']): Promise<Place> {
  const { origins, stop } = await startAll([
    { host: HOST, mounts, appFolder: path.join(root, 'dist') },
    // Their scripts run on an origin of their own: what lies beside the app may run none.
    { host: HOST, mounts: {}, appFolder: pagesOf(root) },
    { host: HOST, mounts },
  ]);
  const [origin, benchPages, pathway] = origins;
  return {
    address: (page, query = {}) => addressOf({ origin, benchPages }, { page, query }),
    pathwayUrl: pathway.httpsUrl,
    open: (viewport) => open([origin, pathway], viewport),
    stop,
  };
}

type Three<Each> = readonly [Each, Each, Each];

/** Starts one origin after the other. Where one does not start, those before it are stopped: each would keep this process alive. */
export async function startAll(
  wanted: Three<OriginOptions>,
  start: (options: OriginOptions) => Promise<Origin> = startCaddy,
): Promise<{ readonly origins: Three<Origin>; stop(): Promise<void> }> {
  const origins: Origin[] = [];
  const stop = async (): Promise<void> => {
    for (const origin of origins.toReversed()) await origin.stop();
  };
  try {
    for (const options of wanted) origins.push(await start(options));
  } catch (fault) {
    await stop();
    throw fault;
  }
  return { origins: origins as unknown as Three<Origin>, stop };
}

function addressOf(
  { origin, benchPages }: { origin: Origin; benchPages: Origin },
  { page, query }: { page: PageName; query: Readonly<Record<string, string>> },
): string {
  const search = new URLSearchParams({
    mpd: `${origin.httpsUrl}${DEMO}`,
    rule: 'dashjs-dynamic',
    preset: 'experiment',
    ...query,
  });
  return `${page === 'full' ? `${origin.httpUrl}/` : `${benchPages.httpUrl}/${page}.html`}?${search}`;
}

/** h2: no race whose winner differs from run to run. */
async function open(origins: readonly [Origin, Origin], viewport: Viewport): Promise<Tab> {
  const [origin] = origins;
  const chromium = await labBrowser.launch({
    executablePath: requireTool('chromium'),
    // Chromium takes a list with commas.
    spkiSha256Base64: origins.map(({ spki }) => spki).join(','),
    hostRules: null,
    flags: pick(labBrowser.modes, 'h2').flags({
      servers: [{ host: HOST, port: origin.httpsPort }],
      ownCertificate: true,
    }),
  });
  try {
    const page = chromium.context.pages()[0] ?? (await chromium.context.newPage());
    await page.setViewportSize(viewport);
    return { page, devtools: await chromium.context.newCDPSession(page), close: () => chromium.close() };
  } catch (error) {
    await chromium.close();
    throw error;
  }
}

const PAGES = ['bare', 'telemetry', 'day'];

const pagesOf = (root: string): string => path.join(root, '.pitwall', 'bench-pages');

/** Builds the pages of `bench/page/` as the app is built. */
async function buildPages(root: string): Promise<void> {
  const folder = path.join(root, 'bench', 'page');
  const { build } = await import('vite');
  await build({
    root: folder,
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: {
      outDir: pagesOf(root),
      emptyOutDir: true,
      rolldownOptions: { input: PAGES.map((name) => path.join(folder, `${name}.html`)) },
    },
  });
}
