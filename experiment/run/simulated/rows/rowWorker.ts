import { parentPort, workerData } from 'node:worker_threads';
import { chunkPlayer, type RowTask } from './chunkPlayer.ts';
import { exitCodeOf } from '../../../../node/exitCodes.ts';
import type { Chunk } from '../../../plan/rowPlan.ts';

/** The entry of a worker thread: plays the chunks it is sent, one after the other. See `experiment/simulate/runWorkers.ts`. */
const play = chunkPlayer(workerData as RowTask);

parentPort!.on('message', async (chunk: Chunk) => {
  try {
    parentPort!.postMessage({ done: await play(chunk) });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    parentPort!.postMessage({ error: message, exitCode: exitCodeOf(error) });
  }
});
