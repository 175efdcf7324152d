import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ComparePlan } from '../session/plan.ts';
import type { GivenWeights } from '../resolve/weights.ts';
import { writeAtomically } from '../../node/files.ts';

/**
 * Writes what rules are made of into the folder of the logs, as `weights/<SHA-256>.json` or `rules/<SHA-256>/NAME.js`: what
 * was hashed is what plays, and it stays beside what came of it. @throws Error in one sentence where it cannot be written
 */
export function keepWeights(given: readonly GivenWeights[], outDir: string): Pick<ComparePlan, 'weights'> {
  if (given.length === 0) return {};
  const weights = given.map(({ rule, spec, sha256, text, own }) => {
    const place = own
      ? path.join('rules', sha256, own.name.replace(/\.m?[jt]s$/, '.js'))
      : path.join('weights', `${sha256}.json`);
    const file = path.join(outDir, place);
    mkdirSync(path.dirname(file), { recursive: true });
    writeAtomically(file, text);
    return [rule, { spec, file, ...(own && { own: { name: own.name, sha256 } }) }] as const;
  });
  return { weights: Object.fromEntries(weights) };
}
