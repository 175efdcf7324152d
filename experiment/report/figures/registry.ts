import { boxPlots } from './boxPlots.ts';
import { bytesOverTime } from './bytesOverTime.ts';
import { correlations } from './correlations.ts';
import { distributions, tcpShares } from './distributions.ts';
import type { FigureMaker } from './figure.ts';
import { heatMap } from './heatMap.ts';
import { latencies } from './latencies.ts';
import { pairedDifferences } from './pairedDifferences.ts';
import { pathwaysOverTime } from './pathwaysOverTime.ts';
import { qoeAgainstRate } from './qoeAgainstRate.ts';
import { racingScatter } from './racingScatter.ts';
import { reductions } from './reductions.ts';
import { runningMeansTests } from './runningMeansTests.ts';

const MAKERS: readonly FigureMaker[] = [
  boxPlots,
  bytesOverTime,
  correlations,
  distributions,
  heatMap,
  latencies,
  pairedDifferences,
  pathwaysOverTime,
  qoeAgainstRate,
  racingScatter,
  reductions,
  runningMeansTests,
  tcpShares,
];

/** The figures of a report, in the order in which they stand there. */
export const figureMakers: readonly FigureMaker[] = MAKERS.toSorted((one, other) => one.place - other.place);
