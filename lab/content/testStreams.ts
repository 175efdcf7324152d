import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { StreamRecipe } from './demoRecipe.ts';
import { packageDash } from './packageDash.ts';
import { makeSegmentBase } from './segmentBase.ts';
import { multiPeriodMpd } from './templateMpd.ts';

/** VoD streams are this long; `template` alone keeps the whole source, for live manifests over it. */
const SHORT_S = 24;

interface Options {
  readonly ffmpeg: string;
  readonly source: string;
  readonly folder: string;
  readonly recipe: StreamRecipe;
}

/** Each way an MPD can address segments, from one small encode: a folder each with its `manifest.mpd`. */
export async function makeTestStreams(options: Options): Promise<void> {
  const { folder, recipe } = options;
  const into = (name: string) => ({ ...options, folder: path.join(folder, name) });
  await packageDash({ ...into('template'), addressing: 'template' });
  await packageDash({ ...into('timeline'), addressing: 'timeline', durationS: SHORT_S });
  await packageDash({ ...into('list'), addressing: 'list', durationS: SHORT_S });
  await makeSegmentBase({ ...into('base'), durationS: SHORT_S });
  const half = SHORT_S / 2;
  await write(
    path.join(folder, 'multi-period', 'manifest.mpd'),
    multiPeriodMpd(recipe, '../template/', [
      { id: 'first', startS: 0, durationS: half, mediaOffsetS: 0 },
      { id: 'second', startS: half, durationS: half, mediaOffsetS: half },
    ]),
  );
  await packageDash({ ...into('multi-audio'), addressing: 'template', durationS: SHORT_S, languages: true });
  await addSubtitles(path.join(folder, 'multi-audio'));
}

const CUES = `WEBVTT

00:00:00.500 --> 00:00:06.000
A line of text in the picture.

00:00:06.500 --> 00:00:20.000
And a second one.
`;

/** A side-car WebVTT file as a text adaptation set (ISO/IEC 23009-1 §5.3.3). */
async function addSubtitles(folder: string): Promise<void> {
  await write(path.join(folder, 'text.vtt'), CUES);
  const file = path.join(folder, 'manifest.mpd');
  const set =
    '<AdaptationSet id="9" contentType="text" mimeType="text/vtt" lang="en"><Role schemeIdUri="urn:mpeg:dash:role:2011" value="subtitle"/><Representation id="text" bandwidth="256"><BaseURL>text.vtt</BaseURL></Representation></AdaptationSet>';
  await write(file, (await readFile(file, 'utf8')).replace('</Period>', `${set}</Period>`));
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
