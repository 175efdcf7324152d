import { existsSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { Script } from 'node:vm';
import { LIBRARY_NAMES } from './libraries.ts';
import { findPlayerBuild, isPlayerBuild, type PlayerBuild } from './playerBuild.ts';
import { BYTES_PER_MIB, readOrdinaryFile } from './ordinaryFile.ts';
import { copyPage, hashOfPage } from './pageFiles.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import type { PlannedPage } from '../../design/plan.ts';
import { cachedFolder, cachedPath } from '../../../lab/content/cachedFolder.ts';
import { requireTool } from '../../../lab/tools.ts';
import {
  buildApp,
  buildWithPlayer,
  builtStamp,
  hashOfSourceFiles,
  hashOfSources,
  scriptFault,
} from '../../../setup/buildApp.mjs';
import { isPackage } from '../../../setup/installation.mjs';

/** The page of this checkout, as a campaign names it. */
export const OWN_PAGE = 'built';

/** A hash of the sources of this checkout's page, of which its rules are a part. */
export const hashOfOwnPage = (root: string): string => hashOfSourceFiles(root);

/**
 * A copy of this checkout's page in the cache, built first where a source has changed. A campaign plays the copy: whoever edits a
 * source meanwhile and starts another command builds `dist/` anew, under the sessions that play. Resolves to its folder.
 */
export async function keepOwnPage(
  root: string,
  print: (line: string) => void,
  cacheFolder: string = requireTool('cacheFolder'),
): Promise<string> {
  const built = path.join(root, 'dist');
  await buildApp(root, print);
  if (isPackage(root)) return built;
  const stamp = builtStamp(root);
  const place = cachedPath(cacheFolder, 'own', [stamp], 'pages');
  let isWhole = true;
  await cachedFolder(place, async (into) => {
    await cp(built, into, { recursive: true });
    isWhole = stamp !== '' && builtStamp(root) === stamp;
  }).catch((error: unknown) => {
    // A file was gone when its turn came: somebody builds.
    if (builtStamp(root) === stamp) throw error;
    isWhole = false;
  });
  if (isWhole) return place;
  await rm(place, { recursive: true, force: true });
  return keepOwnPage(root, print, cacheFolder);
}

/** The folder of each page that a campaign names, by the page's name. */
export type PageFolders = Readonly<Record<string, string>>;

/** What a page is made of. */
type Source =
  | { readonly kind: 'own' }
  | { readonly kind: 'player'; readonly build: PlayerBuild }
  | { readonly kind: 'folder'; readonly page: string; readonly folder: string; readonly sha256: string };

/** A page of a campaign that was found and hashed, and is not built yet. Of a build of a player it holds the bytes. */
export interface FoundPage extends PlannedPage {
  readonly source: Source;
}

/** Finds the pages of a campaign; paths are relative to `folder`. @throws Error in one sentence that names the page */
export async function findPages(
  pages: NonNullable<CampaignFile['pages']>,
  folder: string,
): Promise<FoundPage[]> {
  const found: FoundPage[] = [];
  for (const { name, page } of pages) found.push({ name, ...(await findPage(page, folder)) });
  return found;
}

type Found = Pick<FoundPage, 'sha256' | 'source'>;

async function findPage(page: string, folder: string): Promise<Found> {
  if (page === OWN_PAGE) return { sha256: null, source: { kind: 'own' } };
  const given = path.resolve(folder, page);
  if (existsSync(path.join(given, 'index.html'))) return buildPage(page, given);
  if (existsSync(given) && !isPlayerBuild(page, folder))
    throw new Error(
      `${page}: It is neither a page (index.html) nor a package of ${LIBRARY_NAMES} (package.json).`,
    );
  const build = await findPlayerBuild(page, { folder, cacheFolder: requireTool('cacheFolder') });
  return { sha256: build.sha256, source: { kind: 'player', build } };
}

const MAX_INDEX_BYTES = BYTES_PER_MIB;

async function buildPage(page: string, folder: string): Promise<Found> {
  const index = await readOrdinaryFile(path.join(folder, 'index.html'), {
    name: `${page}: index.html`,
    maxBytes: MAX_INDEX_BYTES,
  });
  if (!index.includes('Pitwall'))
    throw new Error(`${page}: It is no page of Pitwall: index.html does not name it.`);
  const sha256 = await hashOfPage({ page, folder });
  return { sha256, source: { kind: 'folder', page, folder, sha256 } };
}

/**
 * Builds the pages that are not in the cache. A page with another player is kept by the hash of that and of the sources; a
 * built page is copied, so that it stays the same while it is played. Resolves to the folder of each, by name. @throws Error in
 * one sentence about a built page that is no longer what was hashed
 */
export async function buildPages(pages: readonly FoundPage[], building: Building): Promise<PageFolders> {
  const folders: Record<string, string> = {};
  for (const page of pages) folders[page.name] = await folderOf(page, building);
  return folders;
}

interface Building {
  readonly root: string;
  /** What `keepOwnPage` resolved to. */
  readonly appFolder: string;
  readonly print: (line: string) => void;
}

async function folderOf({ name, source }: FoundPage, { root, appFolder, print }: Building): Promise<string> {
  if (source.kind === 'own') return appFolder;
  const cacheFolder = requireTool('cacheFolder');
  if (source.kind === 'folder') {
    const place = cachedPath(cacheFolder, 'page', source.sha256, 'pages');
    await cachedFolder(place, (into) => copyPage(source, into, source.sha256));
    return place;
  }
  const { library, version, sha256 } = source.build;
  const place = cachedPath(cacheFolder, 'page', [sha256, hashOfSources(root), 'script'], 'pages');
  const startedMs = performance.now();
  const { wasMade } = await cachedFolder(place, async (outDir) =>
    buildWithPlayer(root, {
      player: library.id,
      script: await scriptOf(name, source.build),
      appFolder,
      outDir,
    }),
  );
  const took = ((performance.now() - startedMs) / 1000).toFixed(1);
  print(
    `page ${name}: with ${library.label} ${version}, ${wasMade ? `built in ${took} s` : 'found in the cache'}`,
  );
  return place;
}

type BuildScript = Pick<PlayerBuild, 'library' | 'source' | 'isModule'>;

/**
 * A build of a player as a script of a page, which the page imports as a module; Shaka stays as it is. Nothing of it is resolved or bundled: what it
 * names, a browser asks the server of the page for. `name` is that of the page. @throws Error in one sentence where no browser
 * could run it
 */
export async function scriptOf(name: string, build: BuildScript): Promise<string> {
  const { isScript, label } = build.library;
  const script = isScript ? withoutMap(build.source) : asModule(build);
  const fault = isScript ? classicFault(script) : await scriptFault(script);
  if (fault !== null) throw new Error(`page ${name}: Its ${label} ${fault}.`);
  return script;
}

/** A map that its last line names does not come along. */
const withoutMap = (source: string): string => source.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');

/** Says why no browser can run a script that is no module, in words after its name; null where one can. */
function classicFault(script: string): string | null {
  try {
    // Compiled, and never run.
    new Script(script);
    return null;
  } catch (error) {
    return `is no valid JavaScript (${(error as Error).message})`;
  }
}

function asModule({ library, source, isModule }: BuildScript): string {
  const text = withoutMap(source);
  if (isModule) return text;
  return [
    'const module = { exports: {} };',
    '(function (module, exports) {',
    text,
    '}).call(globalThis, module, module.exports);',
    `export const { ${library.exports.join(', ')} } = module.exports;`,
    'export default module.exports;\n',
  ].join('\n');
}
