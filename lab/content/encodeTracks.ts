/** Paints the demo's pictures and feeds them to one ffmpeg, which encodes every rung at once. */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { ffmpegArguments } from './ffmpegArguments.ts';
import { durationSeconds, type Recipe } from './ladder.ts';
import { newPicture, paintRace } from './racePicture.ts';

/** Where to work and whom to tell. */
export interface EncodeOptions {
  readonly ffmpeg: string;
  readonly fontFile: string;
  /** Existing folder that takes one MP4 per track. */
  readonly folder: string;
  readonly log: (line: string) => void;
}

type Ffmpeg = ChildProcessByStdio<Writable, Readable, Readable>;

const progressEveryMs = 5_000;

/** Encodes all tracks of a recipe. @throws Error with ffmpeg's last words. */
export async function encodeTracks(recipe: Recipe, options: EncodeOptions): Promise<void> {
  const ffmpeg = spawn(options.ffmpeg, ffmpegArguments(recipe, options), { stdio: ['pipe', 'pipe', 'pipe'] });
  let lastLines = '';
  ffmpeg.stderr
    .setEncoding('utf8')
    .on('data', (chunk: string) => (lastLines = (lastLines + chunk).slice(-2_000)));
  reportProgress(ffmpeg, recipe, options.log);
  const ended = new Promise<void>((resolve, reject) => {
    ffmpeg.once('error', (cause) =>
      reject(new Error(`ffmpeg could not be run: ${cause.message}`, { cause })),
    );
    ffmpeg.once('close', (code) => {
      if (code === 0) resolve();
      else
        reject(new Error(`ffmpeg could not encode ${recipe.title} (exit code ${code}): ${lastLines.trim()}`));
    });
  });
  try {
    await Promise.all([ended, feedPictures(ffmpeg, recipe)]);
  } finally {
    ffmpeg.kill('SIGKILL');
  }
}

async function feedPictures({ stdin }: Ffmpeg, recipe: Recipe): Promise<void> {
  const top = recipe.video.at(-1);
  if (top === undefined) return;
  // When ffmpeg dies, its exit says why; the broken pipe would only hide that.
  let broken = false;
  stdin.on('error', () => (broken = true));
  const frames = durationSeconds(recipe) * recipe.framesPerSecond;
  for (let frame = 0; frame < frames && !broken; frame++) {
    // A fresh picture each time: the pipe may still hold the last one.
    const picture = newPicture(top.widthPx, top.heightPx);
    paintRace(picture, frame / recipe.framesPerSecond);
    const { buffer } = picture.pixels;
    if (!stdin.write(new Uint8Array(buffer)) && !broken) await waitForDrain(stdin);
  }
  stdin.end();
}

async function waitForDrain(stdin: Writable): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  // Either settles the wait; neither listener may stay behind.
  await Promise.race([once(stdin, 'drain', { signal }), once(stdin, 'close', { signal })]).catch(() => {});
  waiting.abort();
}

function reportProgress({ stdout }: Ffmpeg, recipe: Recipe, log: (line: string) => void): void {
  let reportedAtMs = performance.now();
  stdout.setEncoding('utf8').on('data', (chunk: string) => {
    // ffmpeg's out_time_ms is in microseconds (its ticket 7345); out_time_us is what it says.
    const doneUs = /out_time_us=(\d+)/.exec(chunk)?.[1];
    if (doneUs === undefined || performance.now() - reportedAtMs < progressEveryMs) return;
    reportedAtMs = performance.now();
    log(`  ${recipe.title}: ${Math.floor(Number(doneUs) / 1e6)} of ${durationSeconds(recipe)} s encoded`);
  });
}
