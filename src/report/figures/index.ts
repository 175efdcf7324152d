export { bytesOverTime } from './bytesOverTime.ts';
export { pairedDifferences } from './pairedDifferences.ts';
export { qoeAgainstRate } from './qoeAgainstRate.ts';
