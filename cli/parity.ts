import type { Command } from 'commander';
import { mustBeWritable } from '../node/mustBeWritable.ts';
import { parityPairs } from './parity/parityPairs.ts';
import { parityTable } from './parity/parityTable.ts';
import { writeAtomically } from '../node/writeAtomically.ts';
import { PARITY_LIMITS, parityOf, type ParityCell } from '../src/analysis/parity.ts';

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
