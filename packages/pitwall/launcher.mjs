#!/usr/bin/env node
// bin/pitwall of the npm package.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from '../lib/main.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
process.exitCode = await main(process.argv.slice(2), root);
