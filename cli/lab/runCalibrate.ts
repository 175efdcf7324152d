import { cpus, release } from 'node:os';
import { calibrate, type Calibrated } from '../../lab/link/calibrate/calibrate.ts';
import {
  calibrateCodel,
  isWithin as isCodelWithin,
  type CodelCalibrated,
} from '../../lab/link/calibrate/calibrateCodel.ts';
import { calibrationCase, type CalibrationCase } from '../../lab/link/calibrate/calibrationCase.ts';
import { codelCase } from '../../lab/link/calibrate/codelCase.ts';
import type { Effort } from '../../lab/link/calibrate/measureLink.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { progressOf } from '../../experiment/simulate/playAll.ts';
import { writeAtomically } from '../../node/writeAtomically.ts';
import { calibrationTable, tcpUnderLossTable } from './calibrationTable.ts';
import { codelTable } from './codelTable.ts';

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

const QUICK_CODEL_CASES = [codelCase(1000, 20, 1.5)];
/** From 1.2 times the rate to twice; CoDel masters them in 2 to 8 s. */
const CODEL_CASES = [
  ...QUICK_CODEL_CASES,
  codelCase(1000, 20, 2),
  codelCase(5000, 20, 1.2),
  codelCase(5000, 100, 1.5),
];

/** Calibrates the emulated link and prints what came of it. Resolves to the exit code. */
export async function runCalibrate({ json, quick, seed, jobs }: CalibrateOptions): Promise<number> {
  const missing = linkMissing();
  if (missing) throw new Error(`${missing}.`);
  // Leaving in the middle takes the links along.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  const cases = quick ? QUICK_CASES : CASES;
  const codelCases = quick ? QUICK_CODEL_CASES : CODEL_CASES;
  const startedAtMs = performance.now();
  const progress = progressOf(cases.length + codelCases.length, 'links');
  const onDone = (): void => progress.done(1);
  const atOnce = Math.min(jobs, cases.length);
  const measure = async (): Promise<Measured> => ({
    links: await calibrate(cases, { effort: quick ? QUICK : FULL, seed, atOnce, onDone }),
    codel: await calibrateCodel(codelCases, { seed, onDone }),
  });
  const measured = await measure().finally(() => progress.end());
  const elapsedMs = performance.now() - startedAtMs;
  print(cases, measured, elapsedMs);
  if (json !== undefined)
    writeAtomically(json, `${JSON.stringify(reportOf(measured, { seed, elapsedMs }), null, 2)}\n`);
  return isAllWithin(measured) ? 0 : 1;
}

interface Measured {
  readonly links: readonly Calibrated[];
  readonly codel: readonly CodelCalibrated[];
}

const isAllWithin = ({ links, codel }: Measured): boolean =>
  links.every(isWithin) && codel.every(isCodelWithin);
const isWithin = ({ verdicts }: Calibrated): boolean => verdicts.every(({ within }) => within);

function print(
  cases: readonly CalibrationCase[],
  { links: results, codel }: Measured,
  elapsedMs: number,
): void {
  const sent = results.flatMap(({ figures }) => [figures.loss.down.sent, figures.loss.up.sent]);
  const lossy = tcpUnderLossTable(results);
  const outside = results.filter((result) => !isWithin(result)).length;
  const codelOutside = codel.filter((result) => !isCodelWithin(result)).length;
  process.stdout
    .write(`Measured values compared with the settings (IP bits; rate within 3 %, RTT within 3 ms, loss by an exact binomial test of
${Math.min(...sent)} to ${Math.max(...sent)} packets each way at a family-wise 99 %, queue within 2 packets):

${calibrationTable(results)}
${lossy === null ? '' : `\nUnder loss, the rate of TCP depends on its controller, not on the link; for information, IP bits:\n\n${lossy}\n`}

CoDel under a steady load above the rate, compared with RFC 8289 for the same packets (within 10 % and 2 packets),
beside a drop-tail queue of the same length (within 2 packets and 3 ms):

${codelTable(codel)}

${outside} of ${cases.length} links outside, ${codelOutside} of ${codel.length} with CoDel; ${(elapsedMs / 1000).toFixed(0)} s.
`);
}

function reportOf(measured: Measured, about: { seed: number; elapsedMs: number }): object {
  const machine = { cpu: cpus()[0]?.model ?? null, cores: cpus().length, kernel: release() };
  return {
    schema: 'pitwall-calibration/1',
    at: new Date().toISOString(),
    emulator: 'rattan 0.1.1',
    machine,
    ...about,
    within: isAllWithin(measured),
    ...measured,
  };
}
