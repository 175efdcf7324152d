import { minify } from 'terser';
import type { Plugin, Rolldown } from 'vite';

/** The libraries come minified, and would cost most of the time. */
const LIBRARIES = ['dashjs', 'hlsjs', 'chartjs'];

/**
 * Terser before Vite's own minifier, and after it: a thirtieth less to download, at 10 s a build of the page. `pure_getters`: no
 * getter of ours is read for what it does. `unsafe_arrows`: no function expression of ours is called with `new`. Statements
 * compress better than the comma sequences that would join them, and so do functions and comparisons as they were written.
 */
const compress = {
  passes: 3,
  pure_getters: true,
  sequences: false,
  keep_fargs: false,
  unsafe_arrows: true,
};

export const smaller: Plugin = {
  name: 'smaller',
  apply: 'build',
  async renderChunk(code, { name }, { format }) {
    if (LIBRARIES.includes(name)) return null;
    const { code: less = code, map } = await minify(code, {
      module: format === 'es',
      ecma: 2020,
      // A copy: terser writes `module` into it.
      compress: { ...compress },
      sourceMap: true,
    });
    return { code: less, map: map as string };
  },
  generateBundle: {
    order: 'post',
    async handler({ format }, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk' || LIBRARIES.includes(chunk.name)) continue;
        const { code = chunk.code, map } = await minify(chunk.code, {
          module: format === 'es',
          ecma: 2020,
          compress: { ...compress, lhs_constants: false, reduce_funcs: false },
          ...(chunk.map && { sourceMap: { content: JSON.stringify(chunk.map), asObject: true } }),
        });
        const comment = /\n\/\/# sourceMappingURL=\S+\s*$/.exec(chunk.code)?.[0] ?? '';
        chunk.code = code + comment;
        writeMap(chunk, map, { bundle, isWorker: this.environment.config.isWorker });
      }
    },
  },
};

function writeMap(
  chunk: Rolldown.OutputChunk,
  map: unknown,
  { bundle, isWorker }: { bundle: Rolldown.OutputBundle; isWorker: boolean },
): void {
  const name = `${chunk.fileName}.map`;
  const file = bundle[name];
  if (file?.type !== 'asset') return;
  file.source = JSON.stringify(map);
  if (!isWorker || !chunk.isEntry) return;
  // Vite writes the map of a worker's first script once more, from the chunk (plugins/worker.ts, bundleWorkerEntry).
  chunk.map = map as Rolldown.SourceMap;
  delete bundle[name];
}
