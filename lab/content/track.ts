/** What one encoded MP4 holds, measured from its bytes: everything that an MPD says about it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boxAlong, boxesIn, segmentIndex, vp9Codec, type Box, type IndexedSegment } from './boxes.ts';
import { audioId, videoId, type AudioTrack, type Recipe, type VideoRung } from './ladder.ts';

interface TrackFacts {
  readonly id: string;
  readonly bitrateKbps: number;
  readonly codecs: string;
  readonly timescale: number;
  /** Bytes from the start of the file: `ftyp` and `moov`. */
  readonly initializationBytes: number;
  /** The `sidx`: first and last byte. */
  readonly index: readonly [first: number, last: number];
  readonly segments: readonly IndexedSegment[];
}

export type VideoTrackFacts = TrackFacts & { readonly kind: 'video' } & VideoRung;
export type AudioTrackFacts = TrackFacts & { readonly kind: 'audio' } & AudioTrack;
export type Track = VideoTrackFacts | AudioTrackFacts;

/** All tracks of an encoded recipe in `folder`, video rungs first, each ascending. */
export function readTracks(recipe: Recipe, folder: string): Promise<Track[]> {
  return Promise.all([
    ...recipe.video.map(async (rung, index): Promise<Track> => {
      const bytes = await readFile(join(folder, `${videoId(index)}.mp4`));
      return { kind: 'video', ...rung, ...factsOf(videoId(index), bytes), codecs: vp9Codec(bytes) };
    }),
    ...recipe.audio.map(async (audio, index): Promise<Track> => {
      const bytes = await readFile(join(folder, `${audioId(index)}.mp4`));
      return { kind: 'audio', ...audio, ...factsOf(audioId(index), bytes), codecs: 'opus' };
    }),
  ]);
}

function factsOf(id: string, bytes: Buffer): Omit<TrackFacts, 'bitrateKbps' | 'codecs'> {
  const moov = required(boxAlong(bytes, ['moov']), id, 'moov');
  const sidx = required(boxesIn(bytes).find(({ type }) => type === 'sidx') ?? null, id, 'sidx');
  const index = segmentIndex(bytes, sidx);
  return {
    id,
    initializationBytes: moov.offset + moov.sizeBytes,
    index: [sidx.offset, sidx.offset + sidx.sizeBytes - 1],
    ...index,
  };
}

function required(box: Box | null, id: string, type: string): Box {
  if (box === null) throw new Error(`${id}.mp4 has no ${type} box.`);
  return box;
}
