import type { Command } from 'commander';
import { mustBeWritable, writeAtomically, formatFileError } from '../node/files.ts';
import {
  PARITY_LIMITS,
  parityOf,
  type ParityCell,
  type ParityPair,
  sessionFigures,
  type Compared,
} from '../src/analysis/parity.ts';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';
import { logDirOf, readLog } from '../node/logFiles.ts';
import { textTable } from '../node/textTable.ts';
import { formatNumber, formatSigned } from '../src/shared/format.ts';

export function addParity(program: Command): void {
  program
    .command('parity')
    .description('compare the simulator with the lab: the same campaign, played in both')
    .argument('<lab>', 'folder of the campaign, or of its logs')
    .argument('<simulated>', 'folder of the same campaign, played with --simulate')
    .option('--json <file>', 'also write every value to this file')
    .addHelpText(
      'after',
      `
A gap is a difference of more than ${PARITY_LIMITS.bitrateKbps} % of mean bitrate or ${PARITY_LIMITS.rebufferPerMinuteS} s of stalls per minute; docs/parity.md explains the known gaps.

Example:
  pitwall compare campaign.json && pitwall compare campaign.json --simulate
  pitwall parity runs/campaign runs/campaign-simulated`,
    )
    .action(async (lab: string, simulated: string, { json }: { json?: string }) => {
      await mustBeWritable('--json', json);
      const { pairs, leftOut } = await parityPairs(lab, simulated);
      const cells = parityOf(pairs);
      process.stdout.write(`${[parityTable(cells), '', ...leftOut, sumOf(cells)].join('\n')}\n`);
      if (json) writeAtomically(json, `${JSON.stringify({ cells, leftOut }, null, 1)}\n`);
    });
}

function sumOf(cells: readonly ParityCell[]): string {
  const apart = cells.filter(({ gaps }) => gaps.length > 0).length;
  return `${cells.length} cells, ${apart} with a gap beyond ${PARITY_LIMITS.bitrateKbps} % of bitrate or ${PARITY_LIMITS.rebufferPerMinuteS} s of stalls per minute`;
}

/** The sessions that are in both folders, and why others do not count. */
interface ParityPairs {
  readonly pairs: readonly ParityPair[];
  /** A sentence each. */
  readonly leftOut: readonly string[];
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
  const pairs: ParityPair[] = [];
  const leftOut: string[] = onlyIn(labDir, lab.names.length - both.length);
  leftOut.push(...onlyIn(simulatedDir, simulated.names.length - both.length));
  for (const name of both) {
    const one = await logOf(path.join(lab.folder, name));
    const other = await logOf(path.join(simulated.folder, name));
    const fault = faultOf(one, other);
    if (fault === null)
      pairs.push({ cell: one.design!.cell, lab: sessionFigures(one), simulated: sessionFigures(other) });
    else leftOut.push(`${one.id}: ${fault}`);
  }
  return { pairs, leftOut };
}

/** What lies in the folder of a campaign whose sessions have no folder yet. */
const NO_LOG = /^(plan|registration(-\d+-of-\d+)?)\.json$/;

/** A campaign's folder, or the folder of its logs. */
async function logsIn(
  given: string,
): Promise<{ readonly folder: string; readonly names: readonly string[] }> {
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
  ...['bitrate, kbit/s: lab', 'simulated', '%'],
  ...['stalled, s/min: lab', 'simulated', 's/min'],
  ...['join, ms: lab', 'simulated'],
  ...['switches: lab', 'simulated'],
  'gap',
];

/** A line for each cell, gaps marked. */
export const parityTable = (cells: readonly ParityCell[]): string => textTable([HEAD, ...cells.map(lineOf)]);

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
