import path from 'node:path';

const PAGES = ['bare', 'telemetry', 'day'];

/** Builds the pages of `bench/page/` as the app is built, and returns their folder. */
export async function buildPages(root: string): Promise<string> {
  const folder = path.join(root, 'bench', 'page');
  const outDir = path.join(root, '.pitwall', 'bench-pages');
  const { build } = await import('vite');
  await build({
    root: folder,
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'error',
    build: {
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: PAGES.map((name) => path.join(folder, `${name}.html`)) },
    },
  });
  return outDir;
}
