import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { StreamRecipe } from './demoRecipe.ts';
import { audioLevels } from './encodeArguments.ts';
import { runFfmpeg } from './runFfmpeg.ts';

export interface DashPackage {
  readonly ffmpeg: string;
  /** The encoded Matroska file. */
  readonly source: string;
  readonly folder: string;
  readonly recipe: StreamRecipe;
  /** How segments are addressed in the manifest. */
  readonly addressing: 'template' | 'timeline' | 'list';
  /** Shorter than the source, in seconds. */
  readonly durationS?: number;
  /** Also the second language, as an adaptation set of its own. */
  readonly languages?: boolean;
}

/** Cuts an encoded source into fMP4 segments with ffmpeg's own DASH muxer; nothing is encoded again. */
export async function packageDash(options: DashPackage): Promise<void> {
  const { ffmpeg, source, folder, recipe, durationS, languages = false } = options;
  await mkdir(folder, { recursive: true });
  const videos = recipe.rungs.length;
  const audios = languages ? audioLevels(recipe).length : recipe.audioKbps.length;
  const streams = [...Array(videos).keys()].map((index) => `0:v:${index}`);
  const tracks = [...Array(audios).keys()].map((index) => `0:a:${index}`);
  await runFfmpeg(ffmpeg, [
    ...['-v', 'error', '-nostdin', '-y', '-i', source],
    ...[...streams, ...tracks].flatMap((stream) => ['-map', stream]),
    ...(durationS === undefined ? [] : ['-t', String(durationS)]),
    ...['-c', 'copy', '-strict', '-2'],
    ...(languages ? ['-metadata:s:a:0', 'language=eng', '-metadata:s:a:1', 'language=deu'] : []),
    ...['-f', 'dash', '-dash_segment_type', 'mp4', '-seg_duration', String(recipe.segmentS)],
    ...addressingArguments(options.addressing),
    ...['-init_seg_name', 'init-$RepresentationID$.mp4'],
    ...['-media_seg_name', 'segment-$RepresentationID$-$Number$.m4s'],
    ...['-adaptation_sets', adaptationSets(videos, audios, languages)],
    path.join(folder, 'manifest.mpd'),
  ]);
}

function addressingArguments(addressing: DashPackage['addressing']): string[] {
  if (addressing === 'list') return ['-single_file', '1', '-use_template', '0', '-use_timeline', '0'];
  return ['-use_template', '1', '-use_timeline', addressing === 'timeline' ? '1' : '0'];
}

function adaptationSets(videos: number, audios: number, languages: boolean): string {
  const ids = [...Array(audios).keys()].map((index) => videos + index);
  const sets = languages ? ids.map(String) : [ids.join(',')];
  return [`id=0,streams=v`, ...sets.map((streams, index) => `id=${index + 1},streams=${streams}`)].join(' ');
}
