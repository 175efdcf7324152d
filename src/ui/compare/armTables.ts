import { type ArmCell, type ArmRow, armRows, MIN_INTERVAL } from '../../analysis/comparison/arms.ts';
import type { ComparedArm, ComparedSession, Comparison } from '../../charts/compare/compareLane.ts';
import { letterMark } from '../../charts/shell/compare/compareLaneView.ts';
import { formatCount, formatNumber, formatSigned } from '../../shared/format.ts';
import { html } from '../dom.ts';
import { headRow, scrollTable } from './scrollTable.ts';
import type { OpenSession } from './openLogs.ts';
import type { ChipActions } from './sessionChips.ts';

/** Shows the key figures by arm: the median of the reference arm, and for each other arm the median of the differences within pairs. */
export function armTable(sessions: readonly OpenSession[], comparison: Comparison): HTMLElement {
  const { arms, pairs, sessions: compared, reference } = comparison;
  const placeOf = (session: ComparedSession): number => compared.indexOf(session);
  const base = Math.max(
    0,
    arms.findIndex((arm) => arm.sessions.includes(reference)),
  );
  const figures = armRows(
    sessions.map(({ log }) => log.metrics),
    {
      arms: arms.map((arm) => arm.sessions.map(placeOf)),
      pairs: pairs.map((pair) => ({
        places: pair.sessions.map(placeOf),
        reference: placeOf(pair.reference),
      })),
      reference: base,
    },
  );
  const heads = arms.map(({ sessions }, arm) =>
    arm === base ? formatCount(sessions.length, 'session') : formatCount(pairsOf(figures, arm), 'pair'),
  );
  const scope = `medians, from ${MIN_INTERVAL} pairs on with a 95 % interval; verdicts are in the report`;
  return tableOf(
    { title: `Differences to ${arms[base]!.look.letter} within pairs`, scope, class: 'arm-figures' },
    headsOf('Key figure', arms, heads),
    figures.map((row) =>
      html(
        'tr',
        { 'data-metric': row.id },
        html(
          'th',
          { scope: 'row', title: row.meaning },
          row.label,
          html('small', {}, [row.unit, row.better && `${row.better} is better`].filter(Boolean).join(', ')),
        ),
        ...row.cells.map((cell, arm) => cellOf(cell, row, pairsOf(figures, arm))),
      ),
    ),
  );
}

/** Pairs of an arm with a difference of any key figure. */
const pairsOf = (rows: readonly ArmRow[], arm: number): number =>
  Math.max(...rows.map(({ cells }) => cells[arm]!.pairs ?? 0));

function cellOf({ median, interval, pairs }: ArmCell, { decimals }: ArmRow, all: number): HTMLElement {
  const format = (value: number): string =>
    pairs === null ? formatNumber(value, decimals) : formatSigned(value, decimals);
  const more = [
    interval ? `[${interval.map(format).join(', ')}]` : '',
    pairs === null || pairs === all ? '' : formatCount(pairs, 'pair'),
  ];
  return html(
    'td',
    {},
    html('span', { class: 'value' }, median === null ? '–' : format(median)),
    html('span', { class: 'difference' }, more.filter(Boolean).join(' ')),
  );
}

/** Shows all sessions, a row for each pair and a column for each arm. The one that is chosen has its line over the bands. */
export function pairTable(
  sessions: readonly OpenSession[],
  comparison: Comparison,
  { onChoose }: Pick<ChipActions, 'onChoose'>,
): HTMLElement {
  const { arms, pairs, sessions: compared, chosen } = comparison;
  const figure = (place: number) => sessions[place]!.log.metrics.find(({ isHeadline }) => isHeadline)!;
  const { label, unit } = figure(0);
  const cell = (session: ComparedSession): HTMLElement => {
    const place = compared.indexOf(session);
    const { value, decimals } = figure(place);
    const text = formatNumber(value, decimals);
    const made = html(
      'button',
      {
        type: 'button',
        class: 'go',
        'aria-pressed': String(session === chosen),
        'aria-label': `${text} ${unit}, session ${session.look.letter}`,
      },
      text,
    );
    made.addEventListener('click', () => onChoose(session === chosen ? null : place));
    return html('td', {}, made);
  };
  const rows = pairs.map((pair, index) =>
    html(
      'tr',
      {},
      html('th', { scope: 'row' }, `${index + 1} `, html('small', {}, pair.name)),
      ...arms.map((arm) => {
        const session = pair.sessions.find((each) => arm.sessions.includes(each));
        return session ? cell(session) : html('td', { class: 'unknown' }, '–');
      }),
    ),
  );
  const scope = `${label}, ${unit}; choose one to see its line`;
  return tableOf({ title: 'Sessions', scope, class: 'arm-sessions' }, headsOf('Pair', arms), rows);
}

const headsOf = (
  first: string,
  arms: readonly ComparedArm[],
  counts: readonly string[] = [],
): (string | Node)[][] => [
  [first],
  ...arms.map((arm, place) => [letterMark(arm), ` ${arm.name}`, html('small', {}, counts[place] ?? '')]),
];

function tableOf(
  { title, scope, class: name }: { title: string; scope: string; class: string },
  heads: readonly (readonly (string | Node)[])[],
  rows: readonly HTMLElement[],
): HTMLElement {
  return html(
    'section',
    { class: name, 'aria-label': title },
    html('h2', {}, title, html('small', {}, ` ${scope}`)),
    scrollTable({ label: `Table: ${title}`, heads: [headRow(heads)], rows }),
  );
}
