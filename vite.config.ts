import { minify } from 'terser';
import { defineConfig, type Plugin } from 'vite';
import { buildMetadata } from './setup/codeVersion.mjs';
import { licenceTexts, NOTICES_FILE } from './setup/licences/notices.mjs';
import { schemasAsData } from './src/telemetry/schema/schemasAsData.ts';

/**
 * Terser before Vite's own minifier: 3 kB less to download, at 7 s a build. Not for the libraries: they come minified, and
 * would cost most of the time. `pure_getters`: no getter of ours is read for what it does. `unsafe_arrows`: no function
 * expression of ours is called with `new`. Statements compress better than the comma sequences that would join them.
 */
const smaller: Plugin = {
  name: 'smaller',
  apply: 'build',
  async renderChunk(code, { name }) {
    if (name === 'dashjs' || name === 'chartjs') return null;
    const { code: less = code, map } = await minify(code, {
      module: true,
      ecma: 2020,
      compress: { passes: 3, pure_getters: true, sequences: false, keep_fargs: false, unsafe_arrows: true },
      sourceMap: true,
    });
    return { code: less, map: map as string };
  },
};

/** Whoever publishes the page also hands on the libraries in it, and these want their notices along. */
const notices: Plugin = {
  name: 'notices',
  apply: 'build',
  generateBundle() {
    const source = licenceTexts(import.meta.dirname);
    this.emitFile({ type: 'asset', fileName: NOTICES_FILE, source });
  },
};

/** The page as static files that work from any folder of any web server. */
export default defineConfig({
  base: './',
  define: { __PITWALL_BUILD__: JSON.stringify(buildMetadata(import.meta.dirname)) },
  plugins: [schemasAsData, smaller, notices],
  worker: { format: 'es', plugins: () => [schemasAsData, smaller] },
  build: {
    target: 'es2023',
    // What the page's scripts need anyway (URL.parse), so that CSS is not written twice for older ones.
    cssTarget: ['chrome126', 'firefox126', 'safari18'],
    // One file compresses better than two, and the charts' part is 1 kB.
    cssCodeSplit: false,
    sourcemap: true,
    // Data URLs for small files would need img-src data: to stay open for good.
    assetsInlineLimit: 0,
    // dash.js is one bundle of 823 kB and cannot be shaken.
    chunkSizeWarningLimit: 850,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // No getter is read for what it does: an eighth of Chart.js, which only such reads keep, goes.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'dashjs', test: /node_modules[\\/](dashjs|@svta)[\\/]/ },
            { name: 'chartjs', test: /node_modules[\\/](chart\.js|@kurkle)[\\/]/ },
          ],
        },
      },
    },
  },
});
