// The whole reports of simulated trials, so that a change of one is seen. They were the same from rows as objects and from columns.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { pick } from '../../src/shared/registry.ts';
import type { FieldSession, TrialData } from '../design/fieldSession.ts';
import { startingTrial } from '../design/startingTrial.ts';
import type { Trial } from '../design/trialFile.ts';
import { FIRST_MS } from '../simulate/drawViewers.ts';
import { scenarios } from '../simulate/scenarios.ts';
import { simulateTrial } from '../simulate/simulateTrial.ts';
import { columnsOf } from '../tell/trialColumns.ts';
import { trialReport } from '../tell/trialReport.ts';
import { formatText } from './formatReport.ts';

const golden = readFileSync(path.join(import.meta.dirname, 'golden', 'reports.txt'), 'utf8');
const DAY_MS = 86_400_000;
const usual = startingTrial('salt of the golden reports');
const [tcp, h3] = usual.arms as [Trial['arms'][number], Trial['arms'][number]];

const trials: readonly (readonly [scenario: string, trial: Trial])[] = [
  ['usual', usual],
  [
    'effect',
    {
      ...usual,
      name: 'three-arms',
      unit: { kind: 'viewer' },
      arms: [
        { ...tcp, share: 0.4 },
        { ...h3, share: 0.4 },
        { ...h3, pathway: 'other', share: 0.2 },
      ],
      metrics: ['rebuffer-count'],
    },
  ],
  [
    'bottleneck',
    {
      ...usual,
      name: 'periods',
      unit: { kind: 'switchback', periodMinutes: 60, washoutMinutes: 20 },
      metrics: ['join-time'],
    },
  ],
];

/** What a store has after some weeks: beacons that were replaced or lost, ids that are not known, a turn of the kill switch. */
function worn({ sessions, assignments }: TrialData): TrialData {
  const lacking = sessions.map((row, index): FieldSession => ({
    ...row,
    viewer: index % 30 === 0 ? null : row.viewer,
    network: index % 40 === 0 ? null : row.network,
    arm: index % 70 === 0 ? null : row.arm,
    pathway: index % 3 === 0 ? null : row.h3Bytes > 0 ? 'h3' : 'tcp',
    networkClass: index % 9 === 0 ? null : row.networkClass,
  }));
  const again = lacking.filter((_, index) => index % 50 === 0);
  return {
    sessions: [...lacking, ...again.map((row) => ({ ...row, stalledMs: row.stalledMs + 500 }))],
    assignments: [...assignments.filter((_, index) => index % 7 !== 0), ...assignments.slice(0, 100)],
    switches: [
      { atMs: FIRST_MS + 3 * DAY_MS, killed: false },
      { atMs: FIRST_MS + 2 * DAY_MS, killed: true },
    ],
  };
}

it('the reports of simulated trials are as before', () => {
  const texts = trials.map(([id, trial]) => {
    const { data } = simulateTrial(trial, pick(scenarios, id), { sessions: 4000, seed: 7 });
    return `${formatText(trialReport(trial, columnsOf(worn(data))))}\n`;
  });
  expect(texts.join('\n')).toBe(golden);
});
