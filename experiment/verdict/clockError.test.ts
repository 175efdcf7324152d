import { describe, expect, test } from 'vitest';
import { formatVerdict } from './formatVerdict.ts';
import { verdicts, type VerdictRow } from './verdicts.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { PlannedSession } from '../design/plan.ts';
import { networksOf } from '../design/networks.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { liveMetrics } from '../../src/analysis/metrics/live.ts';

const [latency] = liveMetrics;

interface Clocks {
  readonly changes?: Partial<CampaignFile>;
  /** s, of a session; undefined: the log names none. */
  readonly errorOf: (session: PlannedSession) => number | null | undefined;
}

/** h3-only is always 2 to 3 s behind h2, which is some 10 s behind the live edge. */
function judge({ changes = {}, errorOf }: Clocks): { row: VerdictRow; sentence: string } {
  const campaign: CampaignFile = {
    ...startingFile,
    rules: ['bola'],
    transports: ['h2', 'h3-only'],
    profiles: [],
    contents: ['live'],
    repeats: 12,
    seeds: [1],
    primary: 'live-latency',
    margin: 0.5,
    ...changes,
  };
  if (changes.marginPercent !== undefined) delete (campaign as { margin?: number }).margin;
  const plan = planCampaign(campaign, networksOf(campaign));
  if (!plan.ok) throw new Error(plan.error);
  const { sessions } = plan.value;
  const values = new Map(
    sessions.map(({ id, transport, design }) => [
      id,
      10 + (transport === 'h2' ? 0 : 2 + design.repeat / 12 + (design.repeat % 3) / 100),
    ]),
  );
  const errors = sessions.flatMap((session) => {
    const error = errorOf(session);
    return error === undefined ? [] : [[session.id, error] as const];
  });
  const [row] = verdicts(plan.value, values, {
    better: 'lower',
    isPositive: true,
    resamples: 1000,
    clockErrors: { unit: 's', bySession: new Map(errors) },
  });
  return { row: row!, sentence: formatVerdict(row!, latency!, campaign) };
}

const isH2 = ({ transport }: PlannedSession): boolean => transport === 'h2';

describe('a verdict on the live latency', () => {
  test('is given where both clocks together are within the margin', () => {
    expect(judge({ errorOf: () => undefined }).row).toMatchObject({ verdict: 'worse', why: null });
    expect(judge({ errorOf: () => 0.24 }).row).toMatchObject({ verdict: 'worse', why: null });
  });

  test('is refused where they are not, and the sentence names both', () => {
    const { row, sentence } = judge({ errorOf: (session) => (isH2(session) ? 9.02 : 2.2) });
    expect(row).toMatchObject({ verdict: null, judgement: null });
    expect(row.why).toBe(
      'The clock of h3-only may be 2.2 s off and that of h2 9.0 s, together more than the margin of 0.5 s.',
    );
    expect(sentence).toContain(`no verdict. ${row.why!.slice(0, -1)}`);
  });

  test('takes a margin in % of the second arm', () => {
    const { row } = judge({ changes: { marginPercent: 5 }, errorOf: () => 0.3 });
    expect(row.why).toBe(
      'The clock of h3-only may be 0.30 s off and that of h2 0.30 s, together more than the margin of 5 % (0.50 s).',
    );
    expect(judge({ changes: { marginPercent: 5 }, errorOf: () => 0.2 }).row.why).toBeNull();
  });

  test('is not refused for one inexact session of many: the mean moves by its share', () => {
    const oneOf = (error: number) => (session: PlannedSession) =>
      isH2(session) && session.design.repeat === 0 ? error : 0.04;
    expect(judge({ errorOf: oneOf(4.8) }).row.why).toBeNull();
    expect(judge({ errorOf: oneOf(9) }).row.why).toContain('more than the margin');
  });

  test('is refused where nobody knows how far a clock is off', () => {
    const { row } = judge({ errorOf: (session) => (isH2(session) ? 0.04 : null) });
    expect(row.why).toBe('The clock of h3-only is that of the device, and nobody knows how far it is off.');
  });
});
