import { existsSync } from 'node:fs';
import { tools, type Tools } from '../tools.ts';

/** Why this machine cannot emulate a link, in one sentence; null when it can. */
export function linkMissing(found: Tools = tools()): string | null {
  if (process.platform !== 'linux') return 'an emulated link needs Linux (network namespaces)';
  if (process.getuid?.() !== 0) return 'an emulated link needs root (it makes network namespaces)';
  for (const name of ['rattan', 'ip', 'nft'] as const)
    if (!found[name] || !existsSync(found[name]))
      return `an emulated link needs ${name}, which is missing: ${found.missing[name] ?? 'run "npm run setup" again'}`;
  return null;
}
