import path from 'node:path';
import { defineConfig } from 'vite';
import { buildMetadata } from '../../setup/codeVersion.mjs';
import { smaller } from '../../setup/smaller.ts';
import { schemasAsData } from '../../src/telemetry/schema/schemasAsData.ts';
import { recordedSchemasAsData } from '../recordedParts.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The entry of the package: a file as a module, one that makes one global. `build.mjs` puts other entries in its place. */
export default defineConfig({
  root,
  publicDir: false,
  define: { __PITWALL_BUILD__: JSON.stringify(buildMetadata(root)) },
  plugins: [recordedSchemasAsData, schemasAsData, smaller],
  build: {
    target: 'es2022',
    sourcemap: true,
    lib: {
      entry: path.join(import.meta.dirname, 'index.ts'),
      name: 'pitwallTelemetry',
      formats: ['es', 'iife'],
      fileName: (format) => (format === 'es' ? 'telemetry.js' : 'telemetry.iife.js'),
    },
  },
});
