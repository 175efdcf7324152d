/** The programs that set-up found, for everything that runs outside the browser. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setupCommand, stateFolder } from '../setup/installation.mjs';

/** Absolute paths; null where set-up did not find the tool, with the reason in `missing`. */
export interface Tools {
  readonly chromium: string | null;
  /** The second browser. */
  readonly firefox: string | null;
  readonly caddy: string | null;
  readonly ffmpeg: string | null;
  /** A TrueType font for text burnt into pictures. */
  readonly fontFile: string | null;
  readonly nft: string | null;
  readonly ip: string | null;
  readonly tc: string | null;
  /** The emulator of links. */
  readonly rattan: string | null;
  /** Our own origin, that tells what its transport does. */
  readonly origin: string | null;
  /** Servers and a packager of other projects, for tests. */
  readonly nginx: string | null;
  readonly apache: string | null;
  /** The Python that has hypercorn and aioquic. */
  readonly hypercorn: string | null;
  readonly shakaPackager: string | null;
  /** The per-user folder for things too big for a checkout: demo content, Caddy. */
  readonly cacheFolder: string | null;
  /** Why a path is null, by name of the tool. */
  readonly missing: Readonly<Record<string, string>>;
}

const newer = {
  origin: null,
  firefox: null,
  nginx: null,
  apache: null,
  hypercorn: null,
  shakaPackager: null,
};

/** Reads what set-up found for this installation. @throws Error with one sentence when set-up has not run here. */
export function tools(projectFolder: string = findProjectFolder()): Tools {
  const file = join(stateFolder(projectFolder), 'tools.json');
  if (!existsSync(file)) {
    throw new Error(
      `Pitwall is not set up (${file} is missing): run "${setupCommand(projectFolder)}" first.`,
    );
  }
  const found = JSON.parse(readFileSync(file, 'utf8')) as Tools;
  // An older set-up did not know these yet.
  return { ...newer, ...found };
}

/** The path of one tool. @throws Error with the reason when it is missing. */
export function requireTool(name: Exclude<keyof Tools, 'missing'>, found: Tools = tools()): string {
  const path = found[name];
  if (path !== null) return path;
  throw new Error(`${name} is missing: ${found.missing[name] ?? `set-up gave no reason; ${setUpAgain()}`}.`);
}

/** What to do about a missing tool, as a part of a sentence. */
export const setUpAgain = (): string => `run "${setupCommand(findProjectFolder())}" again`;

/** The nearest folder above this module that has a package.json: the module may run from a bundle in `.pitwall/`. */
function findProjectFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder)
      throw new Error('No package.json above the running code: is this a Pitwall checkout?');
    folder = parent;
  }
  return folder;
}
