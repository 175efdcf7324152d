import { formatNumber } from '../../../src/shared/format.ts';
import {
  runningMeansTest,
  type RunningMeansTest,
} from '../../../src/analysis/statistics/runningMeansTest.ts';
import { groupBy } from '../../../src/shared/groupBy.ts';
import { declaredComparisons, type Comparison } from '../../verdict/comparisons.ts';
import { couplesOf } from '../../verdict/pairs.ts';
import type { ReportSource } from '../reportSource.ts';
import { playbackHashesOf, type SessionSummary, type SummaryWindow } from '../sessionSummary.ts';
import { slug, type FigureMaker, type ReportFigure } from './figure.ts';
import { cellGrid, type CellRow } from './svg/cellGrid.ts';
import type { CampaignPlan, PlannedSession } from '../../design/plan.ts';

const ID = 'running-means-test';
const TITLE = 'The 2024 paper’s own test, beside equal arms';
/** Maximum number of rows in one picture: eight comparisons. */
const MAX_ROWS = 24;

/** Welch's t on running means, to reproduce the racing paper; never without what it says of arms that are the same. */
export const runningMeansTests: FigureMaker = {
  id: ID,
  label: 'Welch’s t on running means beside equal arms',
  place: 95,
  draw(source) {
    const rows = declaredComparisons(source.plan).flatMap((comparison) => rowsOf(source, comparison));
    const parts = Array.from({ length: Math.ceil(rows.length / MAX_ROWS) }, (_, part) =>
      rows.slice(part * MAX_ROWS, (part + 1) * MAX_ROWS),
    );
    const number = (index: number): string => (parts.length === 1 ? '' : String(index + 1));
    return parts.length > 0 ? parts.map((part, index) => figureOf(part, number(index))) : null;
  },
};

interface Row {
  readonly comparison: Comparison;
  readonly series: RunningSeries;
  readonly test: RunningMeansTest;
  readonly sessions: readonly string[];
}

type Couple = readonly [SessionSummary, SessionSummary];

function rowsOf({ plan, sessions }: ReportSource, comparison: Comparison): Row[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  const known = {
    values: new Map(sessions.map(({ id }) => [id, null])),
    playbackHashes: playbackHashesOf(sessions),
    flagged: new Set<string>(),
  };
  const couples = couplesOf(plan, comparison, known).couples.map(
    (couple) => couple.map(({ id }) => byId.get(id)!) as unknown as Couple,
  );
  const equal = equalArmPairs(plan, byId, comparison);
  return runningSeries.flatMap((series) => {
    const of = (pairs: readonly Couple[]) =>
      pairs.map(([one, other]) => [series.of(one.windows), series.of(other.windows)] as const);
    const test = runningMeansTest(of(couples), of(equal));
    const tested = test ? test.higher + test.similar + test.lower : 0;
    return test && tested > 0
      ? [{ comparison, series, test, sessions: [...couples, ...equal].flat().map(({ id }) => id) }]
      : [];
  });
}

function figureOf(rows: readonly Row[], number: string): ReportFigure {
  const id = slug(ID, number);
  const title = number === '' ? TITLE : `${TITLE} (${number})`;
  return {
    id,
    title,
    isTable: true,
    caption:
      '% of the pairs in which Welch’s t test on running means over windows of 30 s (two-sided, 0.05) calls the first better, similar or worse, as the 2024 paper counts; and % of the pairs of sessions of the same arm, over the same network from the same moment, that the same test calls different. No verdict: each running mean is nearly equal to the one before it, so the test finds differences where there are none. Of equal arms with 150 samples it rejects 87 %.',
    svg: cellGrid({
      id,
      title,
      corner: '% of pairs',
      isPlain: true,
      columns: ['better', 'similar', 'worse', 'equal arms'],
      description: rows.map(formatSummary).join(' '),
      rows: rows.map(rowMarks),
    }),
    columns: [
      ...['first', 'second', 'within', 'network', 'running mean of'],
      ...['pairs', 'better %', 'similar %', 'worse %', 'not tested', 'equal pairs', 'of them rejected %'],
    ],
    rows: rows.map((row) => {
      const { first, second, within, network } = row.comparison;
      const { tested, better, similar, worse, rejected } = sharesOf(row);
      return [
        ...[first, second, within, network ?? 'all', row.series.label],
        ...[tested, better, similar, worse, row.test.untested, row.test.onEqualArms.tested, rejected],
      ];
    }),
    sessions: [...new Set(rows.flatMap(({ sessions }) => sessions))],
  };
}

function sharesOf({ test, series }: Row) {
  const { higher, similar, lower, onEqualArms } = test;
  const tested = higher + similar + lower;
  const percent = (count: number): number => (100 * count) / tested;
  const [better, worse] = series.better === 'higher' ? [higher, lower] : [lower, higher];
  return {
    tested,
    better: percent(better),
    similar: percent(similar),
    worse: percent(worse),
    rejected: (100 * onEqualArms.rejected) / onEqualArms.tested,
  };
}

function rowMarks(row: Row, index: number, rows: readonly Row[]): CellRow {
  const { better, similar, worse, rejected } = sharesOf(row);
  const { first, second, within, network } = row.comparison;
  const isNext = rows[index - 1]?.comparison !== row.comparison;
  const place = [within === '' ? '' : ` under ${within}`, network === null ? '' : ` on ${network}`].join('');
  return {
    label: row.series.label,
    cells: [better, similar, worse, rejected].map((percent) => ({ text: formatNumber(percent, 0), good: 0 })),
    ...(isNext && { heading: `${first} against ${second}${place}` }),
  };
}

const formatSummary = (row: Row): string => {
  const { better, similar, worse, rejected } = sharesOf(row);
  const { first, second } = row.comparison;
  return `${first} against ${second}, ${row.series.label}: ${formatNumber(better, 0)} % better, ${formatNumber(similar, 0)} % similar, ${formatNumber(worse, 0)} % worse; of equal arms ${formatNumber(rejected, 0)} % rejected.`;
};

/**
 * Returns sessions of one arm two by two, each once: over the same network and content from the same moment, in different pairs
 * of the plan; nothing differs between them but chance. A/A labels are one arm, so a campaign of them has its own pairs. Two
 * sessions that a simulator played alike are left out.
 */
function equalArmPairs(
  { campaign, sessions }: CampaignPlan,
  byId: ReadonlyMap<string, SessionSummary>,
  { firstArm, secondArm, network }: Comparison,
): [SessionSummary, SessionSummary][] {
  const isAaTest = campaign.compare === 'aaLabels';
  const compared = sessions.filter(
    ({ id, design, link }) =>
      byId.has(id) && [firstArm, secondArm].includes(design.arm) && isOn(link, network),
  );
  const groups = groupBy(compared, (planned) =>
    isAaTest ? planned.design.pair : `${planned.design.arm} ${momentOf(planned)}`,
  );
  return [...groups.values()]
    .map((group) => group.map(({ id }) => byId.get(id)!))
    .flatMap(twoByTwo)
    .filter(isNoCopy);
}

const isOn = (link: PlannedSession['link'], network: string | null): boolean =>
  network === null || link?.network === network;

const isNoCopy = ([one, other]: readonly [SessionSummary, SessionSummary]): boolean =>
  one.playbackHash === null || one.playbackHash !== other.playbackHash;

/** Returns the conditions of a session: its content and all parameters of its link except the seed of its losses. */
const momentOf = ({ content, link }: PlannedSession): string =>
  [content, link?.network ?? '', link?.phaseMs ?? 0].join(' ');

const twoByTwo = (sessions: readonly SessionSummary[]): [SessionSummary, SessionSummary][] =>
  Array.from({ length: Math.floor(sessions.length / 2) }, (_, index) => [
    sessions[2 * index]!,
    sessions[2 * index + 1]!,
  ]);

/** Series that the racing paper (2024, §V-B) takes running means of: a value for each window of 30 s. */
interface RunningSeries {
  readonly label: string;
  readonly better: 'higher' | 'lower';
  of(windows: readonly SummaryWindow[]): number[];
}

const bitratesOf = (windows: readonly SummaryWindow[]): number[] =>
  windows.flatMap(({ bitrateKbps }) => bitrateKbps ?? []);

const runningSeries: readonly RunningSeries[] = [
  { label: 'bitrate', better: 'higher', of: bitratesOf },
  {
    label: 'variation',
    better: 'lower',
    of(windows) {
      const bitrates = bitratesOf(windows);
      return bitrates.slice(1).map((now, index) => Math.abs(now - bitrates[index]!));
    },
  },
  { label: 'stall', better: 'lower', of: (windows) => windows.map(({ stallS }) => stallS) },
];
