import path from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const root = path.resolve(import.meta.dirname, '../..');
const telemetry = path.resolve(import.meta.dirname, '../telemetry/index.ts');

/** What lies beside it here is another package there. */
const otherPackage: Plugin = {
  name: 'other-package',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || path.resolve(path.dirname(importer), source) !== telemetry) return null;
    return { id: '@pitwall/telemetry', external: true };
  },
};

/** Module by module, so that a bundler takes only the rules that are used, and weights load when a rule needs them. */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [otherPackage],
  build: {
    target: 'es2022',
    sourcemap: true,
    minify: false,
    lib: {
      entry: ['index', 'dashjs', 'hlsjs', 'shaka'].map((name) =>
        path.join(import.meta.dirname, `${name}.ts`),
      ),
      formats: ['es'],
    },
    rolldownOptions: {
      output: { preserveModules: true, preserveModulesRoot: root, entryFileNames: '[name].js' },
    },
  },
});
