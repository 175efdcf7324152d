export { bytesOverTime } from './bytesOverTime.ts';
