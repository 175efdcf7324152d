import path from 'node:path';
import { BASE_BUILD, buildFile, COPIES } from './changes.ts';
import { applyEdits, harmlessChanges, SEEDED_VERSION, seededFaults } from './seededChanges.ts';
import { libraries } from '../../experiment/resolve/pages/libraries.ts';
import { pick } from '../../src/shared/registry.ts';
import { makeFolder, readText, writeAtomically } from '../../node/files.ts';

/** Seeded changes are edits of the source as people read it. */
export const DEBUG_BUILD = 'dist/modern/esm/dash.all.debug.js';
/** What a user of the gate compares. */
export const MINIFIED_BUILD = 'dist/modern/esm/dash.all.min.js';

/** A build of the installed dash.js. @throws Error in one sentence if that has another version */
export async function readInstalled(root: string, build: string): Promise<string> {
  const file = path.join('node_modules', 'dashjs', build);
  const source = await readText(path.join(root, file));
  const version = pick(libraries, 'dashjs').versionIn(source);
  if (version === SEEDED_VERSION) return source;
  throw new Error(
    `${file}: It is dash.js ${version ?? 'of an unknown version'}; the seeded changes are edits of ${SEEDED_VERSION}.`,
  );
}

/**
 * Writes the builds of all changes that are no releases into a folder: the base of the seeded changes, one build for each of
 * them, and two copies of the minified build that differ in a comment. @throws Error in one sentence
 */
export async function writeBuilds(root: string, folder: string): Promise<void> {
  const source = await readInstalled(root, DEBUG_BUILD);
  const minified = await readInstalled(root, MINIFIED_BUILD);
  makeFolder(folder);
  const write = (name: string, text: string): void => writeAtomically(buildFile(folder, name), text);
  write(BASE_BUILD, source);
  for (const change of [...seededFaults, ...harmlessChanges])
    write(change.id, applyEdits(source, change, SEEDED_VERSION));
  for (const name of COPIES) write(name, `// ${name}\n${minified}`);
}
