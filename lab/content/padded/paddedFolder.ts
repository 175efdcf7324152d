import { cachedPath } from '../cachedFolder.ts';
import type { PaddedRecipe } from './paddedRecipe.ts';

/** To be raised when the files change while the recipe stays. */
const VERSION = 2;

/** Where the stream is or will be; the folder's name ends with a hash of all that its bytes depend on. PURE. */
export const paddedFolder = (recipe: PaddedRecipe, cacheFolder: string): string =>
  cachedPath(cacheFolder, nameOf(recipe), { version: VERSION, recipe });

const nameOf = ({ title, segmentSeconds }: PaddedRecipe): string =>
  `${title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(-60)}-${segmentSeconds}s`;
