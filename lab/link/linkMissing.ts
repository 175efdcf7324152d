import { existsSync } from 'node:fs';
import type { NamespaceWay } from '../../setup/namespaceWay.mjs';
import { namespacesMissing } from '../namespaces.ts';
import { setUpAgain, tools, type Tools } from '../tools.ts';

/** Why this machine cannot emulate a link, in one sentence; null when it can. */
export function linkMissing(found: Tools = tools(), way?: NamespaceWay): string | null {
  const missing = namespacesMissing(way);
  if (missing !== null) return `no link can be emulated here: ${missing}`;
  for (const name of ['rattan', 'ip', 'nft'] as const)
    if (!found[name] || !existsSync(found[name]))
      return `an emulated link needs ${name}, which is missing: ${found.missing[name] ?? setUpAgain()}`;
  return null;
}
