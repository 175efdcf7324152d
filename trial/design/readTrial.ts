import { readFile } from '../../experiment/design/readCampaign.ts';
import type { Result } from '../../src/shared/result.ts';
import { unknownId } from '../../src/shared/unknownId.ts';
import { checkOf } from '../../src/telemetry/schema/checkOf.ts';
import { TrialFile, type Trial } from './trialFile.ts';
import { trialMetrics } from './trialMetrics.ts';

const check = checkOf(TrialFile);

/** Reads a trial file. The error is one sentence with the file's name and the place in it. */
export function readTrial(text: string, name: string): Result<Trial> {
  return readFile<Trial>(text, {
    name,
    check,
    what: 'trial',
    faultOf: (value) => trialFault(value as Trial),
    valueOf: (value) => value as Trial,
  });
}

/** Shares are typed by people: a third is 0.333. */
const SHARES_TOLERANCE = 0.005;

function trialFault(trial: Trial): string | null {
  return faultOfArms(trial) ?? faultOfUnit(trial) ?? faultOfMetrics(trial) ?? faultOfStopping(trial);
}

function faultOfArms({ arms, default: usual }: Trial): string | null {
  const ids = arms.map(({ pathway }) => pathway);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) return `/arms/${twice}/pathway: ${ids[twice]} is the pathway of another arm, too.`;
  const bad = arms.findIndex(({ baseUrl }) => !isHttpUrl(baseUrl));
  if (bad >= 0) return `/arms/${bad}/baseUrl: It is not an http or https address.`;
  const sum = arms.reduce((total, { share }) => total + share, 0);
  if (Math.abs(sum - 1) > SHARES_TOLERANCE)
    return `/arms: The shares add up to ${Number(sum.toFixed(4))}; they must add up to 1.`;
  return ids.includes(usual) ? null : `/default: ${unknownId('pathway', usual, ids)}`;
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#]+/.test(text);
}

function faultOfUnit({ arms, unit }: Trial): string | null {
  if (unit.kind !== 'switchback') return null;
  if (arms.length !== 2) return '/unit: A switchback compares two arms, and this file has more.';
  if (arms.some(({ share }) => share !== 0.5))
    return '/unit: A switchback gives each of two arms half of the time: both shares must be 0.5.';
  return unit.washoutMinutes < unit.periodMinutes
    ? null
    : '/unit/washoutMinutes: It must be shorter than the period, or no session counts.';
}

function faultOfMetrics({ primary, metrics }: Trial): string | null {
  const known = trialMetrics.map(({ id }) => id);
  const asked = [primary.metric, ...metrics];
  for (const [index, id] of asked.entries()) {
    const place = index === 0 ? '/primary/metric' : `/metrics/${index - 1}`;
    if (!known.includes(id)) return `${place}: ${unknownId('metric', id, known)}`;
    if (asked.indexOf(id) !== index) return `${place}: ${id} is listed twice.`;
  }
  return null;
}

function faultOfStopping({ stopping: { days }, retentionDays }: Trial): string | null {
  return retentionDays >= days
    ? null
    : `/retentionDays: Sessions would be deleted after ${retentionDays} days, before the trial ends on day ${days}.`;
}
