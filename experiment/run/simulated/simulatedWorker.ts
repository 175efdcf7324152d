import { parentPort, workerData } from 'node:worker_threads';
import type { SimulatedCampaign } from './simulatedSession.ts';
import { writeSimulated, type SimulatedJob } from './playSimulated.ts';

/** The entry of a worker thread: plays the sessions it is sent, some at a time. See `experiment/simulate/runWorkers.ts`. */
const campaign = workerData as SimulatedCampaign;

parentPort!.on('message', async (job: SimulatedJob) => {
  try {
    parentPort!.postMessage({ done: await writeSimulated(campaign, job) });
  } catch (error) {
    parentPort!.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
