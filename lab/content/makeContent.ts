import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { requireTool } from '../tools.ts';
import { contentFolder } from './contentFolder.ts';
import { demoRecipe, testRecipe, type StreamRecipe } from './demoRecipe.ts';
import { encodeArguments } from './encodeArguments.ts';
import { packageDash } from './packageDash.ts';
import { runFfmpeg } from './runFfmpeg.ts';
import { makeTestStreams } from './testStreams.ts';

/** Makes what is not in the cache yet, and says in a line each what it did. */
export async function makeContent(say: (line: string) => void): Promise<void> {
  await makeStream('demo', demoRecipe, say);
  await makeStream('test', testRecipe, say);
}

async function makeStream(
  which: 'demo' | 'test',
  recipe: StreamRecipe,
  say: (line: string) => void,
): Promise<void> {
  const folder = contentFolder(which);
  if (existsSync(path.join(folder, 'done'))) return say(`${which} stream: in the cache`);
  const ffmpeg = requireTool('ffmpeg');
  const startedAt = Date.now();
  say(`${which} stream: encoding ${recipe.rungs.length} rungs × ${recipe.durationS} s, once`);
  const temporary = `${folder}.${process.pid}`;
  await mkdir(temporary, { recursive: true });
  try {
    const source = path.join(temporary, 'source.mkv');
    const args = encodeArguments(recipe, { fontFile: requireTool('fontFile'), output: source });
    await runFfmpeg(ffmpeg, args, progress(which, recipe, say));
    if (which === 'demo')
      await packageDash({ ffmpeg, source, folder: temporary, recipe, addressing: 'template' });
    else await makeTestStreams({ ffmpeg, source, folder: temporary, recipe });
    await rm(source);
    await moveIntoPlace(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  say(`${which} stream: made in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
}

/** A line every tenth of the content. */
function progress(
  which: string,
  { durationS }: StreamRecipe,
  say: (line: string) => void,
): (s: number) => void {
  let said = 0;
  return (contentS) => {
    const tenths = Math.floor((contentS / durationS) * 10);
    if (tenths <= said || tenths >= 10) return;
    said = tenths;
    say(`${which} stream: ${tenths * 10} %`);
  };
}

/** Two set-ups at once may both have made it; the first to finish wins, and both are equal. */
async function moveIntoPlace(temporary: string, folder: string): Promise<void> {
  await mkdir(path.join(temporary, 'done'));
  if (existsSync(path.join(folder, 'done'))) return;
  await rm(folder, { recursive: true, force: true });
  await rename(temporary, folder);
}
