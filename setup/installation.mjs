// Where this code runs: in a checkout, or in the installed npm package, which has no sources (packages/pitwall).
import { existsSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cacheFolder.mjs';
import { packageVersion } from './codeVersion.mjs';

/** Whether `root` is the folder of the installed package. */
export const isPackage = (root) => existsSync(path.join(root, 'lib', 'main.mjs'));

/** Where this installation keeps what it found and built. The folder of a package may be read-only, or shared. */
export const stateFolder = (root) =>
  isPackage(root) ? path.join(cacheFolder(), 'installed', packageVersion(root)) : path.join(root, '.pitwall');

/** The command that makes the machine ready. */
export const setupCommand = (root) => (isPackage(root) ? 'pitwall setup' : 'npm run setup');
