import { claimsIn } from './claimsIn.ts';
import type { Repeating } from './verdictSection.ts';
import type { ReportSource } from '../../src/report/reportSource.ts';

/** How many of so many campaigns have a report that claims a difference, or just the one that is asked for. Seeds count from 1. */
export function claimingReports(
  { repetitions, say }: Repeating,
  sourceOf: (seed: number) => ReportSource,
  isAsked: (claim: string) => boolean = () => true,
): number {
  let claiming = 0;
  for (let seed = 1; seed <= repetitions; seed++) {
    if (claimsIn(sourceOf(seed)).some(isAsked)) claiming += 1;
    if (seed % Math.ceil(repetitions / 4) === 0) say(`${seed} of ${repetitions} reports`);
  }
  return claiming;
}
