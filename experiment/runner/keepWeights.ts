import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ComparePlan } from '../session/plan.ts';
import type { GivenWeights } from '../resolve/weights.ts';
import { writeAtomically } from '../../node/files.ts';

/**
 * Writes the weights that rules decide with into the folder of the logs, as `weights/<SHA-256>.json`: what was hashed is what
 * plays, and it stays beside what came of it. @throws Error in one sentence where they cannot be written
 */
export function keepWeights(given: readonly GivenWeights[], outDir: string): Pick<ComparePlan, 'weights'> {
  if (given.length === 0) return {};
  mkdirSync(path.join(outDir, 'weights'), { recursive: true });
  const weights = given.map(({ rule, spec, sha256, text }) => {
    const file = path.join(outDir, 'weights', `${sha256}.json`);
    writeAtomically(file, text);
    return [rule, { spec, file }] as const;
  });
  return { weights: Object.fromEntries(weights) };
}
