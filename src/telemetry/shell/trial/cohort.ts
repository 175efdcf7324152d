import { assign, pointOf, type PageTrial } from '../../../shared/assignment.ts';
import { sha256 } from '../../../shared/sha256.ts';

/** What the server of a trial takes as an id, too. */
const ID = /^[\x21-\x7e]{1,128}$/;

/** @throws Error in one sentence for a text that is no id */
export function mustBeId(name: string, id: string): void {
  if (!ID.test(id)) throw new Error(`"${name}" takes 1 to 128 visible ASCII characters.`);
}

/**
 * Returns the pathway that an id is assigned in a trial: the one that the steering server answers with, in any page and at any
 * time. For pages that choose the address themselves. `id`: of the viewer or of the session, as the unit of the trial says.
 * @throws Error for what is no id, and for a switchback, where the clock of the page could name another period than the server's
 */
export function cohort(trial: PageTrial, id: string): string {
  const { kind } = trial.unit;
  if (kind === 'switchback')
    throw new Error('The arm of a switchback follows from the clock of the steering server.');
  mustBeId(kind, id);
  return assign(trial, { session: id, viewer: id, beganMs: 0 }, sha256)!.arm.pathway;
}

/** Whether a session is one of a share that reports: drawn by its id, and not by its arm. */
export const isSampled = ({ key }: PageTrial, session: string, share: number): boolean =>
  pointOf(sha256(`${key}\nreport\n${session}`)) < share;
