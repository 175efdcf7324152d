// Builds the page into dist/ when a source changed since the last build.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildMetadata } from './codeVersion.mjs';

const SOURCES = ['src', 'public', 'index.html', 'vite.config.ts', 'package.json', 'package-lock.json'];

/** Builds where needed and says in one line what it did. Content and commit decide: the page writes the latter into its logs. */
export async function buildApp(root, say) {
  const stampFile = path.join(root, '.pitwall', 'app-stamp');
  const stamp = fingerprint(root);
  const current = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
  if (current === stamp && existsSync(path.join(root, 'dist', 'index.html')))
    return say('app: built already');
  const startedAt = Date.now();
  const { build } = await import('vite');
  await build({ root, logLevel: 'warn' });
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
  say(`app: built into dist/ in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
}

function fingerprint(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES) addTo(hash, root, source);
  hash.update(buildMetadata(root));
  return hash.digest('hex');
}

function addTo(hash, root, name) {
  const file = path.join(root, name);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory())
    for (const entry of readdirSync(file).sort()) addTo(hash, root, path.join(name, entry));
  else if (!/\.test\.ts$|\.md$/.test(name)) hash.update(`${name}\0`).update(readFileSync(file));
}
