import type { Bench } from './bench.ts';
import { netLogBench } from './netLogBench.ts';
import { pageBench } from './pageBench.ts';
import { simBench } from './simBench.ts';
import { sizeBench } from './size/sizeBench.ts';

export const benches: readonly Bench[] = [pageBench, simBench, sizeBench, netLogBench];
