import { workerData } from 'node:worker_threads';
import { answerJobs } from '../../simulate/runWorkers.ts';
import type { SimulatedCampaign } from './simulatedSession.ts';
import { writeSimulated, type SimulatedJob } from './playSimulated.ts';

/** The entry of a worker thread: plays the sessions it is sent, some at a time. See `experiment/simulate/runWorkers.ts`. */
const campaign = workerData as SimulatedCampaign;

answerJobs((job: SimulatedJob) => writeSimulated(campaign, job));
