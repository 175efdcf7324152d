// The per-user folder for what is too big for a checkout.
import { homedir } from 'node:os';
import path from 'node:path';

/**
 * $PITWALL_CACHE, else where the platform keeps caches.
 * @param {Readonly<Record<string, string | undefined>>} [environment]
 * @param {string} [platform]
 */
export function cacheFolder(environment = process.env, platform = process.platform) {
  if (environment.PITWALL_CACHE) return path.resolve(environment.PITWALL_CACHE);
  if (environment.XDG_CACHE_HOME) return path.join(environment.XDG_CACHE_HOME, 'pitwall');
  if (platform === 'darwin') return path.join(homedir(), 'Library', 'Caches', 'pitwall');
  if (platform === 'win32' && environment.LOCALAPPDATA)
    return path.join(environment.LOCALAPPDATA, 'pitwall', 'Cache');
  return path.join(homedir(), '.cache', 'pitwall');
}
