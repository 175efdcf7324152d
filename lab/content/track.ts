import { readFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { boxAlong, boxesIn, segmentIndex, vp9Codec, type Box, type IndexedSegment } from './boxes.ts';
import { audioId, videoId, type AudioTrack, type Recipe, type VideoRung } from './ladder.ts';

/** Facts about one encoded MP4, measured from its bytes: everything that an MPD says about it. */
interface TrackFacts {
  readonly id: string;
  readonly bitrateKbps: number;
  readonly codecs: string;
  readonly timescale: number;
  /** Bytes of `ftyp` and `moov`, from the start of the file. */
  readonly initializationBytes: number;
  /** First and last byte of the `sidx`. */
  readonly index: readonly [first: number, last: number];
  readonly segments: readonly IndexedSegment[];
}

export type VideoTrackFacts = TrackFacts & { readonly kind: 'video' } & VideoRung;
export type AudioTrackFacts = TrackFacts & { readonly kind: 'audio' } & AudioTrack;
export type Track = VideoTrackFacts | AudioTrackFacts;

/** Reads all tracks of an encoded recipe in `folder`, video rungs first, each ascending. */
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

/** Cuts `<folder>/<id>.mp4` into `<target>/<id>/init.mp4` and `1.m4s`, `2.m4s` …, the same bytes as its ranges. */
export async function cutTrack(track: Track, folder: string, target: string): Promise<void> {
  const bytes = await readFile(join(folder, `${track.id}.mp4`));
  const own = join(target, track.id);
  await mkdir(own, { recursive: true });
  await writeFile(join(own, 'init.mp4'), bytes.subarray(0, track.initializationBytes));
  for (const [index, { offset, sizeBytes }] of track.segments.entries()) {
    await writeFile(join(own, `${index + 1}.m4s`), bytes.subarray(offset, offset + sizeBytes));
  }
}

/** Returns a track with every `count` of its chunks joined to one segment. */
export function grouped(track: Track, count: number): Track {
  const segments: IndexedSegment[] = [];
  for (let first = 0; first < track.segments.length; first += count) {
    segments.push(merged(track.segments.slice(first, first + count)));
  }
  return { ...track, segments };
}

/** Joins chunks that lie one behind the other. */
function merged(chunks: readonly IndexedSegment[]): IndexedSegment {
  const sum = (key: 'sizeBytes' | 'durationTicks'): number =>
    chunks.reduce((total, chunk) => total + chunk[key], 0);
  const { offset = 0, startTicks = 0 } = chunks[0] ?? {};
  return { offset, startTicks, sizeBytes: sum('sizeBytes'), durationTicks: sum('durationTicks') };
}
