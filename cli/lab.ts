import type { Command } from 'commander';
import { withOptions } from './declareOptions.ts';
import { jobs, jsonFile, quick, seed } from './sharedOptions.ts';
import type { Shell } from './shell.ts';
import { cpus, release } from 'node:os';
import { calibrate, type Calibrated } from '../lab/link/calibrate/calibrate.ts';
import {
  calibrateCodel,
  isWithin as isCodelWithin,
  type CodelCalibrated,
} from '../lab/link/calibrate/calibrateCodel.ts';
import { calibrationCase, type CalibrationCase, caseName } from '../lab/link/calibrate/calibrationCase.ts';
import { codelCase, codelCaseName, type CodelVerdict } from '../lab/link/calibrate/codelCase.ts';
import type { Effort } from '../lab/link/calibrate/measureLink.ts';
import { linkMissing } from '../lab/link/linkMissing.ts';
import { isRealTime, NO_PRIORITY } from '../lab/link/rattanProcess.ts';
import { progressOf } from '../experiment/simulate/playAll.ts';
import { writeAtomically } from '../node/files.ts';
import { plainTable } from '../node/textTable.ts';
import type { Verdict } from '../lab/link/calibrate/judge.ts';
import { formatPercent, formatSigned } from '../src/shared/format.ts';

export function addLab(program: Command, shell: Shell): void {
  const lab = program
    .command('lab')
    .description('tools for the emulated link')
    .action(() => lab.outputHelp());
  const command = lab
    .command('calibrate')
    .description('measure rate, RTT, loss and queue of emulated links and compare them with the settings');
  withOptions(
    command,
    'run',
    quick('measure one link for a few seconds: checks that it works, not how well'),
    seed('seed of the random losses'),
    jobs('links that are measured at the same time', 6),
  );
  withOptions(command, 'output', jsonFile('also write every measured value to this file')).action(
    async (options: CalibrateOptions) => shell.exit(await runCalibrate(options)),
  );
}

interface CalibrateOptions {
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
async function runCalibrate({ json, quick, seed, jobs }: CalibrateOptions): Promise<number> {
  const missing = linkMissing();
  if (missing) throw new Error(`${missing}.`);
  // Leaving in the middle takes the links along.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  const cases = quick ? QUICK_CASES : CASES;
  const codelCases = quick ? QUICK_CODEL_CASES : CODEL_CASES;
  if (!isRealTime()) process.stdout.write(`${NO_PRIORITY}\n\n`);
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
    emulatorIsRealTime: isRealTime(),
    machine,
    ...about,
    within: isAllWithin(measured),
    ...measured,
  };
}

const HEAD = [
  'link',
  'UDP down kbit/s',
  'UDP up kbit/s',
  'TCP down kbit/s',
  'RTT ms',
  'lost down',
  'lost up',
  'queue down',
  'queue up',
  'verdict',
];
/** The columns between the link and the verdict. */
const COLUMNS = [
  ['udp-rate', 'down'],
  ['udp-rate', 'up'],
  ['tcp-rate', 'down'],
  ['rtt', 'round'],
  ['loss', 'down'],
  ['loss', 'up'],
  ['queue', 'down'],
  ['queue', 'up'],
] as const;

/** Measured against asked, a line per link; a figure outside its bounds has a cross. */
export const calibrationTable = (results: readonly Calibrated[]): string =>
  plainTable(HEAD, results.map(lineOf));

function lineOf({ asked, verdicts, again }: Calibrated): string[] {
  const cells = COLUMNS.map(([quantity, direction]) => {
    const verdict = verdicts.find((each) => each.quantity === quantity && each.direction === direction);
    return verdict ? cellOf(verdict) : '–';
  });
  const outside = verdicts.filter(({ within }) => !within).length;
  const verdict = outside === 0 ? 'within' : `${outside} OUTSIDE`;
  return [caseName(asked), ...cells, again ? `${verdict}, second try` : verdict];
}

function cellOf(verdict: Verdict): string {
  const { measured, within } = verdict;
  return `${measured === null ? 'no data' : formatMeasured(verdict, measured)}${within ? '' : ' ✗'}`;
}

function formatMeasured({ unit, asked, p }: Verdict, measured: number): string {
  switch (unit) {
    case 'kbit/s':
      return `${measured.toFixed(0)} (${formatSigned((measured / asked - 1) * 100, 1)} %)`;
    case 'ms':
      return `${measured.toFixed(1)} (${formatSigned(measured - asked, 1)})`;
    case 'share':
      return `${formatPercent(measured, { decimals: 2 })} (p ${p === null ? '?' : p.toFixed(2)})`;
    case 'packets':
      return `${measured} of ${asked}`;
  }
}

/** What TCP gets of lossy links, by controller; null when there is none of them. */
export function tcpUnderLossTable(results: readonly Calibrated[]): string | null {
  const lossy = results.filter(({ asked }) => asked.loss > 0);
  const controllers = [...new Set(lossy.flatMap(({ figures }) => Object.keys(figures.tcpKbps)))];
  if (controllers.length === 0) return null;
  const rows = lossy.map(({ asked, figures }) => [
    caseName(asked),
    ...controllers.map((name) => {
      const kbps = figures.tcpKbps[name] ?? null;
      return kbps === null ? 'no data' : `${kbps.toFixed(0)} (${formatPercent(kbps / asked.rateKbps)})`;
    }),
  ]);
  return plainTable(['link', ...controllers.map((name) => `${name} kbit/s`)], rows);
}

const CODEL_HEAD = [
  'link',
  'way',
  'full queue ms',
  'CoDel peak ms',
  'back at target s',
  'dropped until then',
  'verdict',
];

/** Measured against what CoDel ought to do, a line per link and way; a figure outside its bounds has a cross. */
export const codelTable = (results: readonly CodelCalibrated[]): string =>
  plainTable(
    CODEL_HEAD,
    results.flatMap((result) => (['down', 'up'] as const).map((way) => codelLineOf(result, way))),
  );

function codelLineOf({ asked, verdicts, again }: CodelCalibrated, way: 'down' | 'up'): string[] {
  const outside = verdicts[way].filter(({ within }) => !within).length;
  const verdict = outside === 0 ? 'within' : `${outside} OUTSIDE`;
  return [
    codelCaseName(asked),
    way,
    ...verdicts[way].map(codelCellOf),
    again ? `${verdict}, second try` : verdict,
  ];
}

function codelCellOf({ quantity, asked, measured, within }: CodelVerdict): string {
  const text = (value: number | null): string =>
    value === null ? 'never' : quantity === 'back' ? (value / 1000).toFixed(2) : value.toFixed(0);
  return `${text(measured)} of ${text(asked)}${within ? '' : ' ✗'}`;
}
