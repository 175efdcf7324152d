export { basic } from './basic.ts';
export { bb } from './bb.ts';
export { festive } from './festive.ts';
export { fixed } from './fixed.ts';
export { lowest } from './lowest.ts';
export { sara } from './sara.ts';
export { throughput } from './throughput.ts';
