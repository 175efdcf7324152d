import { defineConfig, type Plugin } from 'vite';
import { buildMetadata } from './setup/codeVersion.mjs';
import { buildSessionPage } from './setup/buildSessionPage.ts';
import { licenceTexts, NOTICES_FILE } from './setup/licences/notices.mjs';
import { smaller } from './setup/smaller.ts';
import { SESSION_PAGE } from './src/export/sessionPage.ts';
import { schemasAsData } from './src/telemetry/schema/schemasAsData.ts';

/** Whoever publishes the page also hands on the libraries in it, and these want their notices along. */
const notices: Plugin = {
  name: 'notices',
  apply: 'build',
  generateBundle() {
    const source = licenceTexts(import.meta.dirname);
    this.emitFile({ type: 'asset', fileName: NOTICES_FILE, source });
  },
};

const sessionPage = buildSessionPage({ fileName: SESSION_PAGE, plugins: [schemasAsData] });

/** How long plug-ins take is nothing that whoever starts the page can use. */
const checks = { bundlerTimings: false };

/** The page as static files that work from any folder of any web server. */
export default defineConfig({
  base: './',
  define: { __PITWALL_BUILD__: JSON.stringify(buildMetadata(import.meta.dirname)) },
  plugins: [schemasAsData, smaller, notices, sessionPage],
  worker: { format: 'es', plugins: () => [schemasAsData, smaller], rolldownOptions: { checks } },
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
      checks,
      // No getter is read for what it does: an eighth of Chart.js, which only such reads keep, goes.
      treeshake: { propertyReadSideEffects: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'dashjs', test: /node_modules[\\/](dashjs|@svta)[\\/]/ },
            { name: 'hlsjs', test: /node_modules[\\/]hls\.js[\\/]/ },
            // Small files, which several parts share, are smaller as one.
            {
              name: 'shared',
              test: /[\\/](shared[\\/](result|units|unknownId|format|stalls|parameters|jsonObject)|startReader|errorDraft|resourceTiming|redactUrl|parseUrl|ui[\\/]dom|panels[\\/]severity|diagnostics[\\/]format)\.ts$/,
            },
            { name: 'chartjs', test: /node_modules[\\/](chart\.js|@kurkle)[\\/]/ },
          ],
        },
      },
    },
  },
});
