import { requireTool } from '../tools.ts';
import { demoStream } from './demoStream.ts';
import { makeLiveTracks } from './liveStream.ts';
import { testStreams } from './testStreams.ts';

/** Makes whatever content the cache lacks, and says in a line each what was made or found. */
export async function makeContent(log: (line: string) => void): Promise<void> {
  const cacheFolder = requireTool('cacheFolder');
  const options = { ffmpeg: requireTool('ffmpeg'), fontFile: requireTool('fontFile'), log };
  for (const [name, make] of [
    ['test streams', testStreams],
    ['live test stream', makeLiveTracks],
    ['demo stream', demoStream],
  ] as const) {
    const startedMs = performance.now();
    const { wasMade } = await make(cacheFolder, options);
    const seconds = Math.round((performance.now() - startedMs) / 1000);
    log(wasMade ? `${name}: encoded in ${seconds} s` : `${name}: found in the cache`);
  }
}
