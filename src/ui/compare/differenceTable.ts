import { differencesOf, placeOf } from '../../charts/compare/lanes/decisions.ts';
import type { ComparedPair, ComparedSession, Comparison } from '../../charts/compare/compareLane.ts';
import { letterMark } from '../../charts/shell/compare/compareLaneView.ts';
import { html } from '../dom.ts';
import { headRow, scrollTable } from './scrollTable.ts';
import { formatClock, formatCount } from '../../shared/format.ts';

/** A moment of the axis at which at least one session chose another rung than the reference for the same segment. */
interface DifferingSegment {
  readonly pair: ComparedPair;
  readonly segment: number;
  readonly atMs: number;
  readonly referenceRung: number;
  /** Rungs of the sessions that differ. */
  readonly rungs: ReadonlyMap<ComparedSession, number>;
}

const MAX_ROWS = 300;

/** The segments on which sessions do not agree with the reference of their pair, by their time on the axis. */
export const differingSegments = (comparison: Comparison): DifferingSegment[] =>
  comparison.pairs
    .flatMap((pair) => differingIn(pair, comparison))
    .sort((one, other) => one.atMs - other.atMs);

function differingIn(pair: ComparedPair, comparison: Comparison): DifferingSegment[] {
  const segments = new Map<
    number,
    { atMs: number; referenceRung: number; rungs: Map<ComparedSession, number> }
  >();
  for (const session of othersOf(pair)) {
    for (const each of differencesOf(session, comparison).differences) {
      const { fromMs } = placeOf(each, session);
      const known = segments.get(each.segment) ?? {
        atMs: fromMs,
        referenceRung: each.referenceRung,
        rungs: new Map(),
      };
      known.atMs = Math.min(known.atMs, fromMs);
      known.rungs.set(session, each.rung);
      segments.set(each.segment, known);
    }
  }
  return [...segments].map(([segment, rest]) => ({ pair, segment, ...rest }));
}

const othersOf = ({ sessions, reference }: ComparedPair): ComparedSession[] =>
  sessions.filter((session) => session !== reference);

/** Shows the differing segments as one table for each pair; each row leads to its moment. Rungs are counted from 1. */
export function differenceTable(
  differing: readonly DifferingSegment[],
  comparison: Comparison,
  onGo: (axisMs: number) => void,
): HTMLElement {
  const left = Math.max(0, differing.length - MAX_ROWS);
  const listed = differing.slice(0, MAX_ROWS);
  const tables = comparison.pairs.flatMap((pair) => {
    const rows = listed.filter((each) => each.pair === pair);
    return rows.length === 0 ? [] : [tableOf(rows, pair, onGo)];
  });
  return html(
    'details',
    { class: 'compare-differences' },
    html('summary', {}, `Where they chose other levels: ${formatCount(differing.length, 'segment')}`),
    ...(differing.length === 0 ? [html('p', { class: 'empty-note' }, reasons(comparison))] : tables),
    left > 0
      ? html('p', { class: 'empty-note' }, `${formatCount(left, 'segment')} more are not listed.`)
      : null,
  );
}

function tableOf(
  differing: readonly DifferingSegment[],
  pair: ComparedPair,
  onGo: (axisMs: number) => void,
): HTMLElement {
  const others = othersOf(pair);
  const heads = ['Time', 'Segment', letterMark(pair.reference), ...others.map(letterMark)];
  return scrollTable({
    label: `Segments with other levels${pair.name === null ? '' : `, ${pair.name}`}`,
    caption: pair.name,
    heads: [headRow(heads.map((each) => [each]))],
    rows: differing.map((each) => rowOf(each, others, onGo)),
  });
}

function rowOf(
  { segment, atMs, referenceRung, rungs }: DifferingSegment,
  others: readonly ComparedSession[],
  onGo: (axisMs: number) => void,
): HTMLElement {
  const go = html('button', { type: 'button', class: 'go' }, formatClock(atMs, true));
  go.addEventListener('click', () => onGo(atMs));
  const cells = others.map((session) => {
    const rung = rungs.get(session);
    return rung === undefined ? html('td', { class: 'unknown' }, '–') : html('td', {}, String(rung + 1));
  });
  const plain = [segment, referenceRung + 1].map((value) => html('td', {}, String(value)));
  return html('tr', {}, html('td', {}, go), ...plain, ...cells);
}

function reasons(comparison: Comparison): string {
  const said = comparison.pairs.flatMap(othersOf).map((session) => {
    const { why } = differencesOf(session, comparison);
    return `${session.look.letter}: ${why ?? 'the same level for every segment'}.`;
  });
  return said.length === 0 ? 'There is no session to compare.' : said.join(' ');
}
