import type { BrowserContext } from '@playwright/test';
import type { CompareCell } from './plan.ts';
import { SessionFailure } from './sessionFailure.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

type Raced = Pick<CompareCell, 'racing' | 'browser'>;

/** For a browser to be launched with: nothing where the campaign does not name a way to race. */
export const racingFlags = ({ racing, browser }: Raced): string[] =>
  racing === undefined ? [] : browserOf(browser).racingFlags(isHappyEyeballs(racing));

const isHappyEyeballs = (racing: string): boolean => racing === 'happy-eyeballs-v3';

/** Adds to a log how its browser races, where only the running browser can say so. */
export async function withRacing(
  log: SessionLog,
  { racing, browser }: Raced,
  context: BrowserContext,
): Promise<SessionLog> {
  const { readHappyEyeballs } = browserOf(browser);
  if (racing === undefined || readHappyEyeballs === null) return log;
  return { ...log, environment: { ...log.environment, happyEyeballs: await readHappyEyeballs(context) } };
}

/**
 * Refuses a log whose browser raced in another way than its arm says.
 * @throws SessionFailure in one sentence, also where the browser did not say how it raced
 */
export function mustRaceAsPlanned(
  { environment: { happyEyeballs } }: SessionLog,
  { racing, browser }: Raced,
): void {
  if (racing === undefined || happyEyeballs === isHappyEyeballs(racing)) return;
  const { label } = browserOf(browser);
  const did =
    happyEyeballs === undefined
      ? 'did not say how it races'
      : `says that HappyEyeballsV3 is ${happyEyeballs ? 'on' : 'off'}`;
  throw new SessionFailure('racing-not-as-planned', `${label} was to race by "${racing}", and ${did}.`);
}
