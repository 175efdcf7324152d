import { readFileSync } from 'node:fs';
import { defineConfig, type Plugin } from 'vite';
import { dataModule } from './src/telemetry/schema/dataModule.ts';
import * as sessionLog from './src/telemetry/schema/sessionLog.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/** The page gets the schemas of the session log as data, without TypeBox: 7 kB less to download. */
const schemasAsData: Plugin = {
  name: 'schemas-as-data',
  load: (id) => (id.endsWith('/src/telemetry/schema/sessionLog.ts') ? dataModule(sessionLog) : null),
};

/** The page as static files that work from any folder of any web server. */
export default defineConfig({
  base: './',
  define: { __PITWALL_VERSION__: JSON.stringify(version) },
  worker: { format: 'es', plugins: () => [schemasAsData] },
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
