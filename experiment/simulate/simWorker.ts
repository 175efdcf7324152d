import { workerData } from 'node:worker_threads';
import { doJob } from './doJob.ts';
import { answerJobs } from './runWorkers.ts';
import type { SimJob, SimTask } from './simTask.ts';

/** The entry of a worker thread: does the jobs it is sent, one after the other. See `runWorkers.ts`. */
const task = workerData as SimTask;

answerJobs((job: SimJob) => doJob(task, job));
