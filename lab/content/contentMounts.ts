import { requireTool } from '../tools.ts';
import { demoMounts, present } from './demoMounts.ts';
import { testFolder } from './testStreams.ts';

export { demoMounts };

/** The demo, and the test streams as `/media/test/<kind>/manifest.mpd`. @throws Error when set-up has not made them. */
export function contentMounts(): Record<string, string> {
  return {
    ...demoMounts(),
    '/media/test': present(testFolder(requireTool('cacheFolder')), 'set of test streams'),
  };
}
