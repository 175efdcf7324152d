// Runs the command line of one checkout as if it were another: node withRoot.mjs CODE ROOT ARGUMENTS…
// `pitwall papers` reads and writes in its own checkout; a test gives it a copy of the old one.
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [code, root, ...args] = process.argv.slice(2);
const { bundleCommandLine } = await import(
  pathToFileURL(path.join(code, 'setup', 'bundleCommandLine.mjs')).href
);
const { main } = await import(pathToFileURL(await bundleCommandLine(code)).href);
process.exitCode = await main(args, root);
