import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hlsPlaylists, MULTIVARIANT, type HlsOptions } from './hls.ts';

/**
 * Writes the HLS playlists into the folder of a stream unless it has them: also into one that an older version made. `describe`
 * is called only then. The multivariant playlist comes last, and each file appears whole.
 */
export function addPlaylists(folder: string, describe: () => HlsOptions): void {
  if (existsSync(join(folder, MULTIVARIANT))) return;
  for (const [file, text] of Object.entries(hlsPlaylists(describe()))) {
    const aside = join(folder, `${file}.${process.pid}`);
    writeFileSync(aside, text);
    renameSync(aside, join(folder, file));
  }
}
