// Where this code runs: on which Node, in a checkout, or in the installed npm package, which has no sources (packages/pitwall).
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cacheFolder.mjs';
import { packageVersion } from './codeVersion.mjs';

/** Whether `root` is the folder of the installed package. @param {string} root */
export const isPackage = (root) => existsSync(path.join(root, 'lib', 'main.mjs'));

/** Where this installation keeps what it found and built. The folder of a package may be read-only, or shared. @param {string} root */
export const stateFolder = (root) =>
  isPackage(root) ? path.join(cacheFolder(), 'installed', packageVersion(root)) : path.join(root, '.pitwall');

/** The command that makes the machine ready. @param {string} root */
export const setupCommand = (root) => (isPackage(root) ? 'pitwall setup' : 'npm run setup');

const MIN_NODE = [20, 19];

/** @throws Error with one sentence when `version` ("20.19.1") is too old. @param {string} version */
export function requireNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return;
  throw new Error(`this is Node ${version}, and Pitwall needs ${MIN_NODE.join('.')} or newer`);
}

/** @throws Error with one sentence for a folder in which Vite cannot build: it takes the rest of a path for a query or a fragment. */
export function requirePath(folder) {
  const sign = /[#?]/.exec(folder)?.[0];
  if (sign !== undefined)
    throw new Error(`${folder} has "${sign}" in its path, and the page cannot be built there: move it`);
}
