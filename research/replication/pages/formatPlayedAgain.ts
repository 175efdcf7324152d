import type { Aggregate, AggregateVerdict } from '../results/aggregate.ts';
import { formatNow, formatRange, formatRatioRange, wordBefore } from './formatRescored.ts';
import type { Reproduction } from './paperPage.ts';
import { networkCount } from '../../../experiment/design/networks.ts';
import type { Cell } from '../../../experiment/report/reportTable.ts';
import { formatGrid } from '../../../experiment/report/text/markdown.ts';
import { decimalsOf, formatSigned, formatUnit } from '../../../src/shared/format.ts';

/** A verdict of an earlier campaign, and of one that asked the same again, each with the results that it is from. */
interface PlayedAgain {
  readonly before: readonly [Aggregate, AggregateVerdict];
  readonly again: readonly [Aggregate, AggregateVerdict];
}

/** Every verdict whose comparison was played again, old and new side by side. */
export function formatPlayedAgain(reproductions: readonly Reproduction[]): string {
  const rows = playedAgain(reproductions).map(rowOf);
  return rows.length === 0
    ? 'No results yet.'
    : formatGrid({ columns: COLUMNS.map((label) => ({ label, isText: true })), rows });
}

const EACH = ['campaign', 'networks', 'verdict', 'difference, with 95 %', 'percent, with 95 %', 'at 5 %'];
const COLUMNS = [
  'comparison',
  'first published',
  ...EACH.map((label) => `old: ${label}`),
  ...EACH.map((label) => `new: ${label}`),
  'new: networks tied',
];

const playedAgain = (reproductions: readonly Reproduction[]): PlayedAgain[] =>
  reproductions.flatMap(({ campaign: { playsAgain = [] }, results }) =>
    (['scaled', 'full'] as const).flatMap((size) =>
      playsAgain.flatMap((id) => {
        const older = reproductions.find(({ campaign }) => campaign.id === id)?.results[size] ?? null;
        const newer = results[size];
        return older && newer ? matched(older, newer) : [];
      }),
    ),
  );

/** In the order of the older results. A comparison over all networks answers for each of them. */
const matched = (older: Aggregate, newer: Aggregate): PlayedAgain[] =>
  older.verdicts.flatMap((line) =>
    newer.verdicts
      .filter(({ comparison: { firstArm, secondArm, network } }) =>
        [
          firstArm === line.comparison.firstArm,
          secondArm === line.comparison.secondArm,
          network === null || network === line.comparison.network,
        ].every(Boolean),
      )
      .map((again): PlayedAgain => ({ before: [older, line], again: [newer, again] })),
  );

function rowOf({ before, again }: PlayedAgain): Cell[] {
  const [, { comparison, ...line }] = before;
  const [, { resolution, tied }] = again;
  const { first, second, within, network } = comparison;
  return [
    `${first} against ${second}, ${network ?? within}`,
    wordBefore(line),
    ...cellsOf(...before),
    ...cellsOf(...again),
    resolution == null ? null : String(tied),
  ];
}

function cellsOf(aggregate: Aggregate, line: AggregateVerdict): Cell[] {
  const { campaign, primary } = aggregate;
  const { difference, interval, ratio, sensitivity } = line;
  const decimals = decimalsOf(interval, difference ?? 0);
  return [
    campaign.name,
    formatNetworks(campaign),
    formatNow(line, aggregate),
    difference === null
      ? null
      : `${formatSigned(difference, decimals)}${formatUnit(primary.unit)} (${formatRange(interval, decimals) ?? 'no interval'})`,
    formatRatioRange(ratio),
    sensitivity?.[5] ?? null,
  ];
}

/** How many networks a verdict stands on, and how often each was played. */
function formatNetworks(campaign: Aggregate['campaign']): string {
  const { per, contents, seeds, repeats } = campaign;
  const count = per === 'network' ? 1 : networkCount(campaign);
  const pairs = repeats * seeds.length * contents.length;
  return pairs === 1 ? String(count) : `${count}, repeated ${pairs} times`;
}
