import { readFileSync } from 'node:fs';
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
export function readTracks(recipe: Recipe, folder: string): Track[] {
  return tracksOf(recipe, (id) => {
    const bytes = readFileSync(join(folder, `${id}.mp4`));
    return { facts: factsOf(id, bytes), bytes };
  });
}

/** Reads the tracks that `cutTrack` has cut in `folder`. Their segments are ranges of their own files. */
export function readCutTracks(recipe: Recipe, folder: string): Track[] {
  return tracksOf(recipe, (id) => cutFacts(id, recipe, join(folder, id)));
}

type MeasuredFacts = Omit<TrackFacts, 'bitrateKbps' | 'codecs'>;

/** With the bytes that hold the codec. */
interface Measured {
  readonly facts: MeasuredFacts;
  readonly bytes: Buffer;
}

function tracksOf({ video, audio }: Recipe, measure: (id: string) => Measured): Track[] {
  return [
    ...video.map((rung, index): Track => {
      const { bytes, facts } = measure(videoId(index));
      return { kind: 'video', ...rung, ...facts, codecs: vp9Codec(bytes) };
    }),
    ...audio.map((rung, index): Track => {
      const { facts } = measure(audioId(index));
      return { kind: 'audio', ...rung, ...facts, codecs: 'opus' };
    }),
  ];
}

function cutFacts(id: string, { segments: count, segmentSeconds }: Recipe, folder: string): Measured {
  const bytes = readFileSync(join(folder, 'init.mp4'));
  const timescale = timescaleOf(bytes, id);
  const files = Array.from({ length: count }, (_, n) => readFileSync(join(folder, `${n + 1}.m4s`)));
  const skippedTicks = skippedTicksOf(bytes);
  const starts = files.map((file) => startOf(file, id, skippedTicks));
  const segments = files.map(({ length }, n): IndexedSegment => {
    const [startTicks, next] = [starts[n]!, starts[n + 1]];
    // The last one is whole: a recipe ends with a segment.
    const durationTicks = next === undefined ? segmentSeconds * timescale : next - startTicks;
    return { offset: 0, sizeBytes: length, startTicks, durationTicks };
  });
  const facts = { id, timescale, initializationBytes: bytes.length, index: [0, 0], segments } as const;
  return { facts, bytes };
}

/** `mdhd` (ISO/IEC 14496-12 §8.4.2): the two times before have 32 bits each, or 64 in version 1. */
function timescaleOf(bytes: Buffer, id: string): number {
  const { contentOffset: at } = required(boxAlong(bytes, ['moov', 'trak', 'mdia', 'mdhd']), id, 'mdhd');
  return bytes.readUInt32BE(at + (bytes.readUInt8(at) === 1 ? 20 : 12));
}

/** `tfdt` (§8.8.12), less what the edit list takes off at the beginning: the pre-skip of Opus. */
function startOf(bytes: Buffer, id: string, skippedTicks: number): number {
  const { contentOffset: at } = required(boxAlong(bytes, ['moof', 'traf', 'tfdt']), id, 'tfdt');
  const isLong = bytes.readUInt8(at) === 1;
  const ticks = isLong ? Number(bytes.readBigUInt64BE(at + 4)) : bytes.readUInt32BE(at + 4);
  return Math.max(0, ticks - skippedTicks);
}

/** The media time at which the one edit of a track begins (`elst`, §8.6.6). 0 without an edit list. */
function skippedTicksOf(bytes: Buffer): number {
  const box = boxAlong(bytes, ['moov', 'trak', 'edts', 'elst']);
  if (box === null) return 0;
  const at = box.contentOffset;
  const isLong = bytes.readUInt8(at) === 1;
  return isLong ? Number(bytes.readBigInt64BE(at + 16)) : bytes.readInt32BE(at + 12);
}

function factsOf(id: string, bytes: Buffer): MeasuredFacts {
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
  if (box === null) throw new Error(`The file of ${id} has no ${type} box.`);
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
