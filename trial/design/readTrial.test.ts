import { expect, it, test } from 'vitest';
import { faultsOf } from '../../src/shared/registry.ts';
import { readTrial } from './readTrial.ts';
import { startingTrial } from './startingTrial.ts';
import { trialMetrics } from './trialMetrics.ts';

const usual = startingTrial('0123456789abcdef');
const read = (changed: object): unknown => {
  const result = readTrial(JSON.stringify({ ...usual, ...changed }), 't.json');
  return result.ok ? result.value : result.error;
};
const [tcp, h3] = usual.arms as [object, object];

it('reads what "init" writes', () => expect(read({})).toEqual(usual));

test.each<[object, string]>([
  [{ salt: 'short' }, '/salt should be text of 16 to 200 characters, but it is "short".'],
  [{ looks: 3 }, '/looks is not a field of a trial.'],
  [{ arms: [tcp, tcp] }, '/arms/1/pathway: tcp is the pathway of another arm, too.'],
  [{ arms: [tcp, { ...h3, share: 0.4 }] }, '/arms: The shares add up to 0.9; they must add up to 1.'],
  [
    { arms: [tcp, { ...h3, baseUrl: 'ftp://a.example' }] },
    '/arms/1/baseUrl: It is not an http or https address.',
  ],
  [{ default: 'tpc' }, '/default: Unknown pathway "tpc": did you mean "tcp"? Known: tcp, h3.'],
  [
    { primary: { metric: 'rebuffer-rat', margin: 1 } },
    '/primary/metric: Unknown metric "rebuffer-rat": did you mean "rebuffer-rate"? Known: rebuffer-rate, join-time, mean-bitrate, rebuffer-count, early-leave, errors.',
  ],
  [{ metrics: ['rebuffer-rate'] }, '/metrics/0: rebuffer-rate is listed twice.'],
  [
    { unit: { kind: 'switchback', periodMinutes: 30, washoutMinutes: 30 } },
    '/unit/washoutMinutes: It must be shorter than the period, or no session counts.',
  ],
  [
    {
      arms: [
        { ...tcp, share: 0.4 },
        { ...h3, share: 0.6 },
      ],
      unit: { kind: 'switchback', periodMinutes: 30, washoutMinutes: 0 },
    },
    '/unit: A switchback gives each of two arms half of the time: both shares must be 0.5.',
  ],
  [
    { retentionDays: 7 },
    '/retentionDays: Sessions would be deleted after 7 days, before the trial ends on day 14.',
  ],
])('says in one sentence what is wrong: %j', (changed, sentence) =>
  expect(read(changed)).toBe(`t.json: ${sentence}`),
);

it('says where the file is no JSON', () => {
  const result = readTrial('{"schema":', 't.json');
  expect(result.ok ? '' : result.error).toMatch(/^t\.json.*1/);
});

it('has metrics with proper ids', () => expect(faultsOf(trialMetrics)).toEqual([]));
