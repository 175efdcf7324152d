import { workerData } from 'node:worker_threads';
import { chunkPlayer, type RowTask } from './chunkFiles.ts';
import { answerJobs } from '../../../simulate/runWorkers.ts';
import type { Chunk } from '../../../design/rowPlan.ts';

/** The entry of a worker thread: plays the chunks it is sent, one after the other. See `experiment/simulate/runWorkers.ts`. */
const play = chunkPlayer(workerData as RowTask);

answerJobs((chunk: Chunk) => play(chunk));
