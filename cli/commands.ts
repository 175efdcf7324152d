import { addAsk } from './ask.ts';
import { addCheck } from './check.ts';
import { addCompare } from './compare.ts';
import { addContent } from './content.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { addLab } from './lab.ts';
import { addMetrics } from './metrics.ts';
import { addOpen } from './open.ts';
import { addOptimum } from './optimum.ts';
import { addParity } from './parity.ts';
import { addPredict } from './predict.ts';
import { addProfiles } from './profiles.ts';
import { addRaces } from './races.ts';
import { addReplay } from './replay.ts';
import { addReport } from './report.ts';
import { addServe } from './serve.ts';
import { addSim } from './sim.ts';
import { addTraces } from './traces.ts';
import { addTransfer } from './transfer.ts';
import { addTrial } from './trial.ts';
import { addWeights } from './weights.ts';
import type { AddCommand } from './runCommandLine.ts';

/** The commands that need no file of a checkout, in the order of the help: the npm package has them, too. */
export const commands: readonly AddCommand[] = [
  addServe,
  addOpen,
  addDoctor,
  addAsk,
  addCompare,
  addTransfer,
  addTrial,
  addSim,
  addProfiles,
  addTraces,
  addWeights,
  addLab,
  addOptimum,
  addCheck,
  addParity,
  addRaces,
  addReport,
  addMetrics,
  addPredict,
  addExport,
  addContent,
  addReplay,
];
