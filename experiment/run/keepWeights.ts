import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { givenWeights } from './givenWeights.ts';
import { writeAtomically } from '../../node/writeAtomically.ts';
import type { ComparePlan } from './play/plan.ts';

/**
 * Copies the weights that rules decide with into the folder of the logs, as `weights/<SHA-256>.json`: what was played stays
 * beside what came of it. @throws Error in one sentence about a file that cannot be used
 */
export async function keepWeights(
  rules: readonly string[],
  { folder, outDir }: { readonly folder: string; readonly outDir: string },
): Promise<Pick<ComparePlan, 'weights'>> {
  const given = await givenWeights(rules, folder);
  if (given.length === 0) return {};
  mkdirSync(path.join(outDir, 'weights'), { recursive: true });
  const weights = given.map(({ rule, spec, sha256, text }) => {
    const file = path.join(outDir, 'weights', `${sha256}.json`);
    writeAtomically(file, text);
    return [rule, { spec, file }] as const;
  });
  return { weights: Object.fromEntries(weights) };
}
