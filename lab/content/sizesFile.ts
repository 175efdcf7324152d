/** The side file that tells the size of every segment (docs/sizes-file.md), measured from the files. PURE. */
import type { SizesFile } from '../../src/abr/sizesFile.ts';
import { SIZES_SCHEMA } from '../../src/abr/sizesFile.ts';
import type { Track } from './track.ts';

export function sizesFile(segmentSeconds: number, tracks: readonly Track[]): string {
  const file: SizesFile & { readonly schema: string } = {
    schema: SIZES_SCHEMA,
    segmentMs: segmentSeconds * 1000,
    representations: tracks.map(({ id, kind, bitrateKbps, segments }) => ({
      id,
      mediaType: kind,
      bitrateKbps,
      sizesBytes: segments.map(({ sizeBytes }) => sizeBytes),
    })),
  };
  return `${JSON.stringify(file)}\n`;
}
