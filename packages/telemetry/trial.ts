/** `@pitwall/telemetry/trial`: assigns viewers of a trial to a pathway and reports their sessions. The README of this folder is that of the package. */
export { cohort } from '../../src/telemetry/shell/trial/cohort.ts';
export {
  reportTrial,
  type Sending,
  type TrialOptions,
  type TrialReporter,
} from '../../src/telemetry/shell/trial/reportTrial.ts';
export type { PageTrial } from '../../src/shared/assignment.ts';
