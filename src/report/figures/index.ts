export { boxPlots } from './boxPlots.ts';
export { bytesOverTime } from './bytesOverTime.ts';
export { distributions } from './distributions.ts';
export { heatMap } from './heatMap.ts';
export { latencies } from './latencies.ts';
export { pairedDifferences } from './pairedDifferences.ts';
export { qoeAgainstRate } from './qoeAgainstRate.ts';
export { racingScatter } from './racingScatter.ts';
