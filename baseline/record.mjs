// Records the baseline, or parts of it: node baseline/record.mjs [PART…] [--code DIR]   (README.md)
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const recorder = fileURLToPath(new URL('record.ts', import.meta.url));
const { module } = await runnerImport(recorder, { configFile: false, logLevel: 'error' });
process.exitCode = await module.main(process.argv.slice(2));
