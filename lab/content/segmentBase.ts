import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StreamRecipe } from './demoRecipe.ts';
import { isoBoxes } from './isoBoxes.ts';
import { runFfmpeg } from './runFfmpeg.ts';

interface Options {
  readonly ffmpeg: string;
  readonly source: string;
  readonly folder: string;
  readonly recipe: StreamRecipe;
  readonly durationS: number;
}

/** One file per rung with a segment index, and an MPD that names the byte ranges (ISO/IEC 23009-1 §5.3.9.2). */
export async function makeSegmentBase(options: Options): Promise<void> {
  const { folder, recipe, durationS } = options;
  await mkdir(folder, { recursive: true });
  const video: string[] = [];
  for (const [index, { width, height, bitrateKbps }] of recipe.rungs.entries()) {
    const base = await muxOne(options, `v:${index}`, `video-${index + 1}.mp4`);
    const size = `width="${width}" height="${height}" frameRate="${recipe.framesPerSecond}"`;
    video.push(
      representation(`v${index + 1}`, { bitrateKbps, extra: `codecs="vp09.00.10.08" ${size}`, base }),
    );
  }
  const sound = await muxOne(options, 'a:0', 'audio-1.mp4');
  const bitrateKbps = recipe.audioKbps[0] ?? 64;
  const audio = representation('a1', {
    bitrateKbps,
    extra: 'codecs="opus" audioSamplingRate="48000"',
    base: sound,
  });
  await writeFile(path.join(folder, 'manifest.mpd'), manifest(durationS, video.join(''), audio));
}

interface Base {
  readonly name: string;
  readonly indexRange: string;
  readonly initRange: string;
}

async function muxOne(
  { ffmpeg, source, folder, durationS, recipe }: Options,
  stream: string,
  name: string,
): Promise<Base> {
  const file = path.join(folder, name);
  await runFfmpeg(ffmpeg, [
    ...['-v', 'error', '-nostdin', '-y', '-i', source, '-map', `0:${stream}`, '-t', String(durationS)],
    ...['-c', 'copy', '-strict', '-2', '-f', 'mp4', '-movflags', '+dash+global_sidx+frag_keyframe'],
    // Opus has a keyframe every 20 ms; video fragments end at keyframes anyway.
    ...(stream.startsWith('a')
      ? ['-frag_duration', String(recipe.segmentS * 1e6), '-movflags', '+dash+global_sidx']
      : []),
    file,
  ]);
  const boxes = isoBoxes(await readFile(file));
  const index = boxes.find(({ type }) => type === 'sidx');
  const movie = boxes.find(({ type }) => type === 'moov');
  if (!index || !movie)
    throw new Error(`${name} has no sidx or moov box: this ffmpeg does not write a segment index`);
  return { name, indexRange: `${index.start}-${index.end - 1}`, initRange: `0-${movie.end - 1}` };
}

function representation(
  id: string,
  { bitrateKbps, extra, base }: { bitrateKbps: number; extra: string; base: Base },
): string {
  return `
      <Representation id="${id}" bandwidth="${bitrateKbps * 1000}" ${extra}>
        <BaseURL>${base.name}</BaseURL>
        <SegmentBase indexRange="${base.indexRange}"><Initialization range="${base.initRange}"/></SegmentBase>
      </Representation>`;
}

const manifest = (
  durationS: number,
  video: string,
  audio: string,
): string => `<?xml version="1.0" encoding="utf-8"?>
<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" profiles="urn:mpeg:dash:profile:isoff-on-demand:2011" type="static"
  mediaPresentationDuration="PT${durationS}S" minBufferTime="PT2S">
  <Period id="0">
    <AdaptationSet id="0" contentType="video" mimeType="video/mp4" subsegmentAlignment="true" subsegmentStartsWithSAP="1">${video}
    </AdaptationSet>
    <AdaptationSet id="1" contentType="audio" mimeType="audio/mp4" lang="en" subsegmentAlignment="true">${audio}
    </AdaptationSet>
  </Period>
</MPD>
`;
