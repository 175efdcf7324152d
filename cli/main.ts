import { addBench } from './bench.ts';
import { addCheck } from './check.ts';
import { addCompare } from './compare.ts';
import { addContent } from './content.ts';
import { addExport } from './export.ts';
import { addGate } from './gate.ts';
import { addLab } from './lab.ts';
import { addMetrics } from './metrics.ts';
import { addOpen } from './open.ts';
import { addOptimum } from './optimum.ts';
import { addPapers } from './papers.ts';
import { addParity } from './parity.ts';
import { addProfiles } from './profiles.ts';
import { addRaces } from './races.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { runCommandLine, type AddCommand } from './runCommandLine.ts';
import { addScreenshots } from './screenshots.ts';
import { addServe } from './serve.ts';
import { addSim } from './sim.ts';
import { addTransfer } from './transfer.ts';

/** All commands, in the order of the help. What the npm package has of them: `packaged.ts`. */
export const COMMANDS: readonly AddCommand[] = [
  addServe,
  addOpen,
  addCompare,
  addTransfer,
  addGate,
  addSim,
  addProfiles,
  addLab,
  addOptimum,
  addCheck,
  addPapers,
  addParity,
  addRaces,
  addReport,
  addMetrics,
  addExport,
  addContent,
  addReplay,
  addBench,
  addScreenshots,
];

/** The command line of a checkout. Resolves to the exit code: docs/exit-codes.md. */
export const main = (args: readonly string[], root: string): Promise<number> =>
  runCommandLine(args, { root, commands: COMMANDS });
