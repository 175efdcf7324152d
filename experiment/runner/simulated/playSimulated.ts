import { availableParallelism } from 'node:os';
import { type SimulatedCampaign, simulatedSession, simulatedRule } from './simulatedSession.ts';
import { progressOf } from '../../simulate/playAll.ts';
import { runWorkers } from '../../simulate/runWorkers.ts';
import path from 'node:path';
import { rulesWith } from '../../resolve/weights.ts';
import { writeAtomically } from '../../../node/files.ts';

/** So many sessions in a job: enough that messages cost nothing, few enough that all cores end together. */
const SESSIONS = 8;
/** Below this a thread takes longer to start than the sessions take (some 5 ms each). */
const WORTH_THREADS = 64;

/** Plays all sessions and writes their logs, on all cores where there are many. @throws Error in one sentence */
export async function playSimulated(campaign: SimulatedCampaign): Promise<void> {
  const count = campaign.sessions.length;
  if (count < WORTH_THREADS) {
    await writeSimulated(campaign, { from: 0, to: count });
    return;
  }
  const jobs = Array.from({ length: Math.ceil(count / SESSIONS) }, (_, part) => ({
    from: part * SESSIONS,
    to: Math.min((part + 1) * SESSIONS, count),
  }));
  const progress = progressOf(count, 'sessions');
  try {
    await runWorkers<SimulatedCampaign, SimulatedJob, SimulatedJob>(campaign, jobs, {
      entry: 'simulatedWorker',
      workers: availableParallelism(),
      onDone: ({ from, to }) => progress.done(to - from),
    });
  } finally {
    progress.end();
  }
}

/** Some of the sessions; `to` is not included. */
export interface SimulatedJob {
  readonly from: number;
  readonly to: number;
}

/** Plays some sessions and writes their logs. Rejects with one sentence that names the session. */
export async function writeSimulated(
  campaign: SimulatedCampaign,
  { from, to }: SimulatedJob,
): Promise<SimulatedJob> {
  const ruleOf = rulesWith(campaign.weights ?? [], simulatedRule);
  for (const session of campaign.sessions.slice(from, to)) {
    const file = path.join(campaign.logDir, `${session.id}.json`);
    const rule = await ruleOf(session.rule);
    writeAtomically(file, `${JSON.stringify(simulatedSession(campaign, session, rule))}\n`);
  }
  return { from, to };
}
