import { createLink } from '../createLink.ts';
import type { Link } from '../link.ts';
import { profileOf, type CalibrationCase, type Figures } from './calibrationCase.ts';
import { judge, type Verdict } from './judge.ts';
import { measureLink, type Effort } from './measureLink.ts';

export interface Calibrated {
  readonly asked: CalibrationCase;
  readonly figures: Figures;
  readonly verdicts: readonly Verdict[];
  /** Measured once more, alone, because the machine itself had lost packets or stood still. */
  readonly again: boolean;
}

interface CalibrationOptions {
  readonly effort: Effort;
  readonly seed: number;
  /** Links that are measured at once. */
  readonly atOnce: number;
  onDone(): void;
}

/** That no loss test of the whole calibration fails by chance has this probability at least. */
const FAMILY_CONFIDENCE = 0.99;

/** Measures every link, the first ones first. @throws Error when a link cannot be made or breaks. */
export async function calibrate(
  cases: readonly CalibrationCase[],
  options: CalibrationOptions,
): Promise<Calibrated[]> {
  // Each link has a loss test in each direction.
  const alpha = (1 - FAMILY_CONFIDENCE) / (2 * cases.length);
  const results: Calibrated[] = [];
  const measure = async (at: number, again: boolean): Promise<void> => {
    const asked = cases[at];
    if (!asked) return;
    const figures = await overLink(asked, options.seed + at + (again ? cases.length : 0), options.effort);
    results[at] = { asked, figures, verdicts: judge(asked, figures, alpha), again };
  };
  const queue = cases.keys();
  const worker = async (): Promise<void> => {
    for (const at of queue) {
      await measure(at, false);
      options.onDone();
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, worker));
  for (const [at, result] of results.entries()) if (wasDisturbed(result)) await measure(at, true);
  return results;
}

/** A queue that had to hold more than it can, though nothing should wait in it, has lost what the link did not. */
const wasDisturbed = ({ asked, figures, verdicts }: Calibrated): boolean =>
  verdicts.some(({ within }) => !within) &&
  (figures.machineDrops > 0 || Math.max(figures.heldBack.down, figures.heldBack.up) > asked.queuePackets);

async function overLink(asked: CalibrationCase, seed: number, effort: Effort): Promise<Figures> {
  const link = await createLink({ profile: profileOf(asked), seed });
  try {
    return await Promise.race([measureLink(link, asked, effort), failureOf(link)]);
  } finally {
    await link.remove();
  }
}

const failureOf = async (link: Link): Promise<never> => {
  throw new Error(await link.failed);
};
