// The licence texts that the built page has to carry: BSD, MIT and Apache ask for their notice wherever the code goes.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { npmParts } from './npmParts.mjs';
import { NPM_UNSTATED, NPM_USES } from './parts.mjs';

/** Where the built page has them. */
export const NOTICES_FILE = 'licences.txt';

/**
 * Pitwall's licence and that of every production dependency, as each package has it. The bundler cannot tell: dash.js comes
 * as one file that names nothing of what is in it. @throws Error for a package without a text.
 * @param {string} root
 */
export function licenceTexts(root) {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const parts = npmParts(lock, { uses: NPM_USES, unstated: NPM_UNSTATED }).filter(
    ({ isShipped }) => isShipped,
  );
  const texts = parts.map(({ name, version, licence }) => ({
    title: `${name} ${version} (${licence})`,
    text: textIn(path.join(root, 'node_modules', name), `${name} ${version}`),
  }));
  const own = { title: 'Pitwall (MIT)', text: readFileSync(path.join(root, 'LICENSE'), 'utf8') };
  return [own, ...texts]
    .map(({ title, text }) => `${title}\n${'='.repeat(title.length)}\n\n${text.trim()}\n`)
    .join('\n\n');
}

function textIn(folder, part) {
  const files = readdirSync(folder).filter((name) => /^(licen[cs]e|notice|copying)/i.test(name));
  if (files.length === 0)
    throw new Error(`${part} has no file with its licence, which the built page must carry`);
  return files
    .sort()
    .map((name) => readFileSync(path.join(folder, name), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
}
