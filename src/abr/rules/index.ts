export { throughput } from './throughput.ts';
