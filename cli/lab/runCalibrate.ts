import { cpus, release } from 'node:os';
import { calibrate, type Calibrated } from '../../lab/link/calibrate/calibrate.ts';
import { calibrationCase, type CalibrationCase } from '../../lab/link/calibrate/calibrationCase.ts';
import type { Effort } from '../../lab/link/calibrate/measureLink.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { progressOf } from '../sim/progress.ts';
import { writeAtomically } from '../writeAtomically.ts';
import { calibrationTable, tcpUnderLossTable } from './calibrationTable.ts';

export interface CalibrateOptions {
  readonly json?: string;
  readonly quick?: boolean;
  readonly seed: number;
  readonly jobs: number;
}

const FULL: Effort = { pings: 60, lossMs: 12_000, rateMs: 5000, bursts: 3, tcpMs: 8000, tcpWindowMs: 5000 };
/** Shows that the link works, not how well: one link, a few seconds. */
const QUICK: Effort = { pings: 20, lossMs: 1500, rateMs: 1500, bursts: 1, tcpMs: 3500, tcpWindowMs: 1500 };

const QUICK_CASES = [calibrationCase(5000, 20, 0)];
const CASES = [1000, 5000, 20_000].flatMap((rateKbps) =>
  [20, 100].flatMap((rttMs) => [0, 0.01].map((loss) => calibrationCase(rateKbps, rttMs, loss))),
);

/** Calibrates the emulated link and prints what came of it. Resolves to the exit code. */
export async function runCalibrate({ json, quick, seed, jobs }: CalibrateOptions): Promise<number> {
  const missing = linkMissing();
  if (missing) throw new Error(`${missing}.`);
  // Leaving in the middle takes the links along.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  const cases = quick ? QUICK_CASES : CASES;
  const startedAtMs = performance.now();
  const progress = progressOf(cases.length, 'links');
  const results = await calibrate(cases, {
    effort: quick ? QUICK : FULL,
    seed,
    atOnce: Math.min(jobs, cases.length),
    onDone: () => progress.done(1),
  }).finally(() => progress.end());
  const wallMs = performance.now() - startedAtMs;
  print(cases, results, wallMs);
  if (json !== undefined)
    writeAtomically(json, `${JSON.stringify(reportOf(results, { seed, wallMs }), null, 2)}\n`);
  return results.every(isWithin) ? 0 : 1;
}

const isWithin = ({ verdicts }: Calibrated): boolean => verdicts.every(({ within }) => within);

function print(cases: readonly CalibrationCase[], results: readonly Calibrated[], wallMs: number): void {
  const sent = results.flatMap(({ figures }) => [figures.loss.down.sent, figures.loss.up.sent]);
  const lossy = tcpUnderLossTable(results);
  const outside = results.filter((result) => !isWithin(result)).length;
  process.stdout
    .write(`Measured against asked (IP bits; rate within 3 %, RTT within 3 ms, loss by an exact binomial test of
${Math.min(...sent)} to ${Math.max(...sent)} packets each way at a family-wise 99 %, queue within 2 packets):

${calibrationTable(results)}
${lossy === null ? '' : `\nTCP under loss is the controller's matter, not the link's; for information, IP bits:\n\n${lossy}\n`}
${outside} of ${cases.length} links outside; ${(wallMs / 1000).toFixed(0)} s.
`);
}

function reportOf(results: readonly Calibrated[], about: { seed: number; wallMs: number }): object {
  const machine = { cpu: cpus()[0]?.model ?? null, cores: cpus().length, kernel: release() };
  return {
    schema: 'pitwall-calibration/1',
    at: new Date().toISOString(),
    emulator: 'rattan 0.1.1',
    machine,
    ...about,
    within: results.every(isWithin),
    links: results,
  };
}
