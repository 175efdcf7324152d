import type { ReportSource } from '../reportSource.ts';
import type { ReportTable } from '../reportTable.ts';
import { armTally, type ArmTally } from './armTally.ts';

/** What became of every planned session, by arm; columns in which nothing happened are left out. */
export function ranTable(source: ReportSource): ReportTable {
  const arms = armTally(source);
  const shown = COLUMNS.filter(({ isAlways, of }) => isAlways === true || arms.some((arm) => of(arm) > 0));
  const quiet = COLUMNS.filter((column) => !shown.includes(column)).map(({ label }) => label);
  const nothing = quiet.length > 0 ? ` None: ${quiet.join(', ')}.` : '';
  return {
    id: 'ran',
    title: 'What ran',
    caption: `Planned sessions by arm.${nothing} Means, figures and verdicts contain only finished sessions whose pair was not invalidated by host overload. An arm that often fails is judged by the sessions in which it did not fail.`,
    columns: [{ label: 'arm', isText: true }, ...shown.map(({ label }) => ({ label }))],
    rows: arms.map((arm) => [arm.arm, ...shown.map(({ of }) => of(arm))]),
  };
}

interface RanColumn {
  readonly label: string;
  /** Also where it is 0 everywhere. */
  readonly isAlways?: boolean;
  of(arm: ArmTally): number;
}

const COLUMNS: readonly RanColumn[] = [
  { label: 'planned', isAlways: true, of: ({ planned }) => planned },
  { label: 'finished', isAlways: true, of: ({ states }) => states.finished },
  { label: 'never started', isAlways: true, of: ({ states }) => states['never-started'] },
  { label: 'gave up', isAlways: true, of: ({ states }) => states['gave-up'] },
  { label: 'finished without a frame', of: ({ frameless }) => frameless },
  { label: 'failed in the lab', of: ({ states }) => states.laboratory },
  { label: 'log unreadable', of: ({ states }) => states.unreadable },
  { label: 'not played', of: ({ states }) => states['not-played'] },
  { label: 'invalidated by host overload', of: ({ invalidated }) => invalidated },
  { label: 'failed tries', of: ({ failedTries }) => failedTries },
];
