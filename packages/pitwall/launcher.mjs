#!/usr/bin/env node
// bin/pitwall of the npm package.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../lib/main.mjs';

// Whoever reads our output may stop early ("pitwall --help | head"): that is no failure of ours.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.exitCode = await main(process.argv.slice(2), root);
