import type { Bench } from './bench.ts';
import { gateHistoryBench } from './gate/gateHistoryBench.ts';
import { gatePowerBench } from './gate/gatePowerBench.ts';
import { netLogBench } from './netLogBench.ts';
import { originBench } from './origin/originBench.ts';
import { pageBench } from './pageBench.ts';
import { reportBench } from './reportBench.ts';
import { simBench } from './simBench.ts';
import { sendersBench } from './senders/sendersBench.ts';
import { sizeBench } from './size/sizeBench.ts';
import { trialBench } from './trial/trialBench.ts';
import { verdictsBench } from './verdicts/verdictsBench.ts';

export const benches: readonly Bench[] = [
  pageBench,
  simBench,
  sizeBench,
  netLogBench,
  reportBench,
  verdictsBench,
  gateHistoryBench,
  gatePowerBench,
  originBench,
  sendersBench,
  trialBench,
];
