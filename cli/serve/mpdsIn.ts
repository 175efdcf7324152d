import { readdirSync } from 'node:fs';
import { formatFileError } from '../../node/formatFileError.ts';

/** Names of the MPDs that lie in a folder, not below it. @throws Error in one sentence when it cannot be read */
export function mpdsIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.toLowerCase().endsWith('.mpd'))
      .sort();
  } catch (error) {
    throw new Error(formatFileError(folder, error));
  }
}
