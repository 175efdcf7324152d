import path from 'node:path';
import { simulatedSession, type SimulatedCampaign } from './simulatedSession.ts';
import { writeAtomically } from '../../writeAtomically.ts';

/** Some of the sessions; `to` is not included. */
export interface SimulatedJob {
  readonly from: number;
  readonly to: number;
}

/** Plays some sessions and writes their logs. @throws Error in one sentence that names the session */
export function writeSimulated(campaign: SimulatedCampaign, { from, to }: SimulatedJob): SimulatedJob {
  for (const session of campaign.sessions.slice(from, to)) {
    const file = path.join(campaign.logDir, `${session.id}.json`);
    writeAtomically(file, `${JSON.stringify(simulatedSession(campaign, session))}\n`);
  }
  return { from, to };
}
