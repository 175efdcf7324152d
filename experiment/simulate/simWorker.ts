import { parentPort, workerData } from 'node:worker_threads';
import { doJob } from './doJob.ts';
import type { SimJob, SimTask } from './simTask.ts';

/** The entry of a worker thread: does the jobs it is sent, one after the other. See `runWorkers.ts`. */
const task = workerData as SimTask;

parentPort!.on('message', async (job: SimJob) => {
  try {
    parentPort!.postMessage({ done: await doJob(task, job) });
  } catch (error) {
    parentPort!.postMessage({ error: error instanceof Error ? error.message : String(error) });
  }
});
