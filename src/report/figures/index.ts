export { bytesOverTime } from './bytesOverTime.ts';
export { qoeAgainstRate } from './qoeAgainstRate.ts';
