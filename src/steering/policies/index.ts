export { browser, fixed, oracle } from './scheduled.ts';
export { ewmaRatio, rttRatio } from './latencyRatio.ts';
export { throughput } from './throughput.ts';
