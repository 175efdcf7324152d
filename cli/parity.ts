import type { Command } from 'commander';
import { withOptions } from './declareOptions.ts';
import { jsonFile } from './sharedOptions.ts';
import { mustBeWritable, writeAtomically, formatFileError } from '../node/files.ts';
import {
  PARITY_LIMITS,
  parityDifferences,
  parityOf,
  paritySummary,
  type Compared,
  type ParityCell,
  type ParityDifference,
  type ParityFactors,
  type ParityPair,
  type ParitySummary,
  sessionFigures,
} from '../src/analysis/parity.ts';
import type { CampaignFile } from '../experiment/design/campaignFile.ts';
import { armOf } from '../experiment/factors/arms.ts';
import { cellOf, reportFactors } from '../experiment/factors/columns.ts';
import type { Factor } from '../experiment/factors/factor.ts';
import { contentName } from '../experiment/design/contents.ts';
import type { CampaignPlan, PlannedSession } from '../experiment/design/plan.ts';
import { NO_LINK } from '../experiment/design/planCampaign.ts';
import { readPlan } from '../experiment/report/read/readSummaries.ts';
import { formatMargin, marginInUnit, marginOf } from '../experiment/verdict/margin.ts';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';
import { logDirOf, readLog, refuseRows } from '../node/logFiles.ts';
import { columnsNow, fittedTable } from '../node/fittedTable.ts';
import { formatNumber, formatSigned } from '../src/shared/format.ts';

export function addParity(program: Command): void {
  const command = program
    .command('parity')
    .description('compare the simulator with the lab: the same campaign, played in both')
    .argument('<lab>', 'folder of the campaign, or of its logs')
    .argument('<simulated>', 'folder of the same campaign, played with --simulate');
  withOptions(command, 'output', jsonFile('also write every value to this file'))
    .addHelpText(
      'after',
      `
A gap is a difference of more than ${PARITY_LIMITS.bitrateKbps} % of mean bitrate or ${PARITY_LIMITS.rebufferPerMinuteS} s of stalls per minute; docs/simulator.md explains the known gaps.

Example:
  pitwall compare campaign.json && pitwall compare campaign.json --simulate
  pitwall parity runs/campaign runs/campaign-simulated`,
    )
    .action(async (lab: string, simulated: string, { json }: { json?: string }) => {
      await mustBeWritable('--json', json);
      const { pairs, leftOut, campaign } = await parityPairs(lab, simulated);
      const cells = parityOf(pairs);
      const summary = paritySummary(cells);
      const margin = marginFor(campaign);
      const differences = parityDifferences(cells, margin.inKbps);
      const lines = [...leftOut, ...sumOf(summary), ...differenceLines(differences, margin.text)];
      process.stdout.write(`${[parityTable(cells, columnsNow()), '', ...lines].join('\n')}\n`);
      if (json) {
        const values = { cells, leftOut, summary, margin: margin.text, differences };
        writeAtomically(json, `${JSON.stringify(values, null, 1)}\n`);
      }
    });
}

function sumOf({ cells, within, meanPercent, medianPercent, repeatable }: ParitySummary): string[] {
  const [mean, median] = [meanPercent, medianPercent].map((percent) =>
    percent === null ? '–' : formatSigned(percent, 1),
  );
  return [
    `${cells} cells, ${cells - within} with a gap beyond ${PARITY_LIMITS.bitrateKbps} % of bitrate or ${PARITY_LIMITS.rebufferPerMinuteS} s of stalls per minute: ${formatNumber((100 * within) / cells, 1)} % are within`,
    `bitrate, simulated less lab, over all cells: mean ${mean} %, median ${median} %`,
    ...(repeatable === null
      ? []
      : [
          `by the spread of its own sessions, the lab would be within ${PARITY_LIMITS.bitrateKbps} % of itself in about ${formatNumber(100 * repeatable, 0)} % of the cells if it played them again`,
        ]),
  ];
}

interface ParityMargin {
  readonly inKbps: (secondKbps: number) => number;
  readonly text: string;
}

/** The campaign's own margin where it judges mean bitrate, else the limit of a gap. */
function marginFor(campaign: CampaignFile | null): ParityMargin {
  const margin = campaign?.primary === 'mean-bitrate' ? marginOf(campaign) : null;
  if (margin) return { inKbps: (kbps) => marginInUnit(margin, kbps), text: formatMargin(margin, 'kbit/s') };
  const percent = PARITY_LIMITS.bitrateKbps;
  return { inKbps: (kbps) => (percent / 100) * kbps, text: `${percent} %` };
}

/** How many differences between arms the simulator shows with the lab's sign, and all others. */
function differenceLines(differences: readonly ParityDifference[], margin: string): string[] {
  if (differences.length === 0) return [];
  const other = differences.filter(({ lab, simulated }) => Math.sign(lab) !== Math.sign(simulated));
  const signs = other.map(
    ({ factor, first, second, within, place, lab, simulated }) =>
      `  ${place}, ${within}: ${factor} ${first} less ${second}: ${formatSigned(lab, 0)} in the lab, ${formatSigned(simulated, 0)} simulated, kbit/s`,
  );
  return [
    `differences between two arms beyond ${margin} of mean bitrate in the lab: ${differences.length}; the simulator has the same sign in ${differences.length - other.length}${other.length > 0 ? ', but not in:' : ''}`,
    ...signs,
  ];
}

/** The sessions that are in both folders, and why others do not count. */
interface ParityPairs {
  readonly pairs: readonly ParityPair[];
  /** A sentence each. */
  readonly leftOut: readonly string[];
  /** null where the folder of the lab has no plan. */
  readonly campaign: CampaignFile | null;
}

/**
 * Joins the logs of two folders by the ids of their sessions; a log at a time is held. A session in which the machine, not
 * the network, was the bottleneck is left out. @throws Error in one sentence
 */
export async function parityPairs(labDir: string, simulatedDir: string): Promise<ParityPairs> {
  const [lab, simulated] = [await logsIn(labDir), await logsIn(simulatedDir)];
  const both = lab.names.filter((name) => simulated.names.includes(name));
  if (both.length === 0)
    throw new Error(
      `${labDir} and ${simulatedDir} have no session in common. Name two folders of the same campaign.`,
    );
  const plan = await planIn(labDir);
  // Sessions that play an arm again, under an A/A label or without, are no arm of their own.
  const arms = plan?.sessions.filter((session) => session.design.arm === armOf(session)) ?? [];
  const varied = plan ? reportFactors(plan.campaign).filter(({ key }) => key !== null) : [];
  const factors = new Map(arms.map((session) => [session.id, parityFactors(session, varied)]));
  const pairs: ParityPair[] = [];
  const leftOut: string[] = onlyIn(labDir, lab.names.length - both.length);
  leftOut.push(...onlyIn(simulatedDir, simulated.names.length - both.length));
  for (const name of both) {
    const one = await logOf(path.join(lab.folder, name));
    const other = await logOf(path.join(simulated.folder, name));
    const fault = faultOf(one, other);
    const of = factors.get(one.id);
    if (fault === null)
      pairs.push({
        cell: one.design!.cell,
        ...(of && { factors: of }),
        lab: sessionFigures(one),
        simulated: sessionFigures(other),
      });
    else leftOut.push(`${one.id}: ${fault}`);
  }
  return { pairs, leftOut, campaign: plan?.campaign ?? null };
}

/** Without a plan beside the logs only cells are compared. */
const planIn = async (folder: string): Promise<CampaignPlan | null> =>
  existsSync(path.join(folder, 'plan.json')) ? readPlan(folder) : null;

const parityFactors = (session: PlannedSession, varied: readonly Factor[]): ParityFactors => ({
  ...Object.fromEntries(varied.map((factor) => [factor.key, String(cellOf(factor, session) ?? '')])),
  place: `${session.link?.network ?? NO_LINK}/${contentName(session.content)}`,
});

/** What lies beside logs: the campaign's own files, where its sessions have no folder yet, and what is left of failed tries. */
const NO_LOG = /^(plan|registration(-\d+-of-\d+)?)\.json$|\.(partial|netlog)\.json$/;

/** A campaign's folder, or the folder of its logs. */
async function logsIn(
  given: string,
): Promise<{ readonly folder: string; readonly names: readonly string[] }> {
  refuseRows(given);
  const folder = existsSync(logDirOf(given)) ? logDirOf(given) : given;
  const names = await readdir(folder).catch((error: unknown) => {
    throw new Error(formatFileError(folder, error));
  });
  return { folder, names: names.filter((name) => name.endsWith('.json') && !NO_LOG.test(name)).sort() };
}

async function logOf(file: string): Promise<SessionLog> {
  const log = await readLog(file);
  if (!log.ok) throw new Error(`${file}: ${log.error}`);
  return log.value;
}

function faultOf(lab: SessionLog, simulated: SessionLog): string | null {
  if (lab.design === null || simulated.design?.cell !== lab.design.cell)
    return 'The two logs belong to different cells of a campaign.';
  const flags = lab.environment.machine?.flags ?? [];
  return flags.length > 0 ? `Invalidated by host overload: ${flags.join(' ')}` : null;
}

const onlyIn = (folder: string, count: number): string[] =>
  count > 0 ? [`${count} of the sessions in ${folder} are not in the other folder.`] : [];

const HEAD = [
  'cell',
  'sessions',
  ...['bitrate, kbit/s: lab', 'bitrate, kbit/s: simulated', 'bitrate: difference, %'],
  ...['stalled, s/min: lab', 'stalled, s/min: simulated', 'stalled: difference, s/min'],
  ...['join, ms: lab', 'join, ms: simulated'],
  ...['switches: lab', 'switches: simulated'],
  'gap',
];

/** A line for each cell, gaps marked. */
export const parityTable = (cells: readonly ParityCell[], columns: number): string =>
  fittedTable({ head: HEAD, rows: cells.map(lineOf), names: 1 }, columns);

function lineOf({ cell, sessions, figures, gaps }: ParityCell): string[] {
  const { bitrateKbps, rebufferPerMinuteS, joinMs, switches } = figures;
  return [
    cell,
    String(sessions),
    ...both(bitrateKbps, 0),
    difference(bitrateKbps, 1),
    ...both(rebufferPerMinuteS, 2),
    difference(rebufferPerMinuteS, 2),
    ...both(joinMs, 0),
    ...both(switches, 1),
    gaps.map((gap) => (gap === 'bitrateKbps' ? 'bitrate' : 'stalls')).join(', '),
  ];
}

const both = ({ lab, simulated }: Compared, decimals: number): string[] => [
  formatNumber(lab, decimals, '–'),
  formatNumber(simulated, decimals, '–'),
];

const difference = ({ difference }: Compared, decimals: number): string =>
  difference === null ? '–' : formatSigned(difference, decimals);
