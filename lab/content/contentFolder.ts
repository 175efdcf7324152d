import { createHash } from 'node:crypto';
import path from 'node:path';
import { requireTool } from '../tools.ts';
import { demoRecipe, testRecipe } from './demoRecipe.ts';
import { encodeArguments } from './encodeArguments.ts';

/** Counts up when packaging changes in a way that the recipes do not show. */
const PACKAGING = 1;

/** Folders in the per-user cache, named after what is in them: another recipe is another folder. */
export function contentFolder(which: 'demo' | 'test'): string {
  const recipe = which === 'demo' ? demoRecipe : testRecipe;
  const how = encodeArguments(recipe, { fontFile: '', output: '' });
  const hash = createHash('sha256')
    .update(JSON.stringify([PACKAGING, recipe, how]))
    .digest('hex')
    .slice(0, 12);
  return path.join(requireTool('cacheFolder'), 'content', `${which}-${hash}`);
}
