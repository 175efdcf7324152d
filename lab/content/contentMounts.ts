import { requireTool, setUpAgain } from '../tools.ts';
import { testFolder } from './testStreams.ts';
import { existsSync } from 'node:fs';
import { demoFolder } from './demoStream.ts';

/** Where the origin serves the demo. @throws Error when set-up has not made it. */
export function demoMounts(): Record<string, string> {
  return { '/media/demo': present(demoFolder(requireTool('cacheFolder')), 'demo stream') };
}

/** The folder, if it is there. */
export function present(folder: string, what: string): string {
  if (existsSync(folder)) return folder;
  throw new Error(`The ${what} is missing (${folder}): ${setUpAgain()}.`);
}

/** The demo, and the test streams as `/media/test/<kind>/manifest.mpd`. @throws Error when set-up has not made them. */
export function contentMounts(): Record<string, string> {
  return {
    ...demoMounts(),
    '/media/test': present(testFolder(requireTool('cacheFolder')), 'set of test streams'),
  };
}
