import { requireTool, setUpAgain } from '../tools.ts';
import { addTestPlaylists, testFolder } from './testStreams.ts';
import { existsSync } from 'node:fs';
import { addDemoPlaylists, demoFolder } from './demoStream.ts';

/** Where the origin serves the demo, with HLS playlists beside the MPD. @throws Error when set-up has not made it. */
export function demoMounts(): Record<string, string> {
  const folder = present(demoFolder(requireTool('cacheFolder')), 'demo stream');
  addDemoPlaylists(folder);
  return { '/media/demo': folder };
}

/** The folder, if it is there. */
export function present(folder: string, what: string): string {
  if (existsSync(folder)) return folder;
  throw new Error(`The ${what} is missing (${folder}): ${setUpAgain()}.`);
}

/** The demo, and the test streams as `/media/test/<kind>/manifest.mpd`. @throws Error when set-up has not made them. */
export function contentMounts(): Record<string, string> {
  const folder = present(testFolder(requireTool('cacheFolder')), 'set of test streams');
  addTestPlaylists(folder);
  return { ...demoMounts(), '/media/test': folder };
}
