import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { ComparePlan } from './play/plan.ts';
import type { PlannedWeights } from '../plan/plan.ts';
import { givenWeights } from '../resolve/weights.ts';
import { writeAtomically } from '../../node/files.ts';

/**
 * Copies the weights that rules decide with into the folder of the logs, as `weights/<SHA-256>.json`: what was played stays
 * beside what came of it. @throws Error in one sentence about a file that cannot be used, or that is no longer as it was planned
 */
export async function keepWeights(
  rules: readonly string[],
  {
    folder,
    outDir,
    planned,
  }: {
    readonly folder: string;
    readonly outDir: string;
    /** Of the plan that is played. Between planning and playing, training may have written a file anew. */
    readonly planned?: readonly PlannedWeights[] | undefined;
  },
): Promise<Pick<ComparePlan, 'weights'>> {
  const given = await givenWeights(rules, folder);
  if (given.length === 0) return {};
  const changed = planned && given.find(({ sha256 }) => !planned.some((each) => each.sha256 === sha256));
  if (changed)
    throw new Error(
      `${changed.rule}: The weights have changed since the run began; sessions of two versions are not compared. Name another folder with --out.`,
    );
  mkdirSync(path.join(outDir, 'weights'), { recursive: true });
  const weights = given.map(({ rule, spec, sha256, text }) => {
    const file = path.join(outDir, 'weights', `${sha256}.json`);
    writeAtomically(file, text);
    return [rule, { spec, file }] as const;
  });
  return { weights: Object.fromEntries(weights) };
}
