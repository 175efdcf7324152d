import { markup, trusted, type Inside, type Markup } from './markup.ts';
import { tableHtml } from './tableHtml.ts';
import { splitSentence, type ReportModel } from '../model/reportModel.ts';
import type { VerdictLine } from '../model/verdictLines.ts';
import { networkTable, verdictTable } from '../model/verdictTables.ts';
import { decimalsOf, formatCount, formatSigned, formatUnit } from '../../../src/shared/format.ts';
import { formatMargin, marginOf } from '../../verdict/margin.ts';
import { formatRobustness } from '../../verdict/formatVerdict.ts';
import { unitOf } from '../../verdict/pairs.ts';
import { VERDICT_LOOKS, verdictLook, type VerdictName } from '../verdictLook.ts';
import { element, px, tone } from '../figures/svg/element.ts';
import { standIns } from '../sessionSummary.ts';
import { quantile } from '../../../src/analysis/statistics/summaries.ts';

/** The verdict of every declared comparison: a sentence, and its pairs at a glance. */
export function verdictsHtml(model: ReportModel): Markup {
  const { verdicts, primary, campaign } = model;
  const places = [...new Set(verdicts.map(({ comparison }) => comparison.network))];
  const byNetwork = networkTable(verdicts, primary);
  const groups = places.map((network) => verdicts.filter(({ comparison }) => comparison.network === network));
  return markup`<section id="verdict">
    <h2>Verdict on ${primary.label}</h2>
    <p class="caption">
      By pairs: Wilcoxon’s signed-rank test (zeros as Pratt) with Holm’s correction over
      ${formatCount(verdicts.length, 'comparison')}, and a bootstrap-t interval of the mean difference. Two
      statements: which arm is better, and whether the difference exceeds the margin of
      ${formatMargin(marginOf(campaign), primary.unit)}.
      ${capital(primary.label)}: ${primary.meaning}.
    </p>
    <p>The verdicts are about ${model.scope}.</p>
    <p class="tally">${verdictTally(verdicts)}</p>
    ${groups.map((lines) => group(lines, model))}
    <p class="caption">
      Each tick is a ${unitOf(campaign)}, the bar the 95 % interval of the mean, the ring the mean; the line marks no
      difference, the shaded band ± ${formatMargin(marginOf(campaign), primary.unit)}: a difference inside it does
      not matter. Right is better for the viewer; the numbers keep their own sign.
    </p>
    <details>
      <summary>Verdicts in numbers</summary>
      ${tableHtml(verdictTable(verdicts, primary), { level: 3 })}
      ${byNetwork === null ? null : tableHtml(byNetwork, { level: 3 })}
    </details>
  </section>`;
}

function group(lines: readonly VerdictLine[], { primary }: ReportModel): Markup {
  const [first] = lines;
  const range = stripRange(lines);
  const heading = first?.comparison.network == null ? null : markup`<h3>${first.comparison.network}</h3>`;
  const decimals = decimalsOf(range, 0);
  const [left, right] = primary.better === 'lower' ? [range[1], range[0]] : range;
  return markup`${heading}
    <ul class="verdicts">
      ${lines.map((line) =>
        item(
          line,
          primary.unit,
          markup`${strip(line, { range, better: primary.better })}
            <p class="ends">
              <span>${formatSigned(left, decimals)}</span><span>worse ◂ ▸ better</span
              ><span>${formatSigned(right, decimals)}${formatUnit(primary.unit)}</span>
            </p>`,
        ),
      )}
    </ul>`;
}

function item(line: VerdictLine, unit: string, drawing: Inside): Markup {
  const name = line.verdict ?? 'none';
  const [claim, ...rest] = splitSentence(line.sentence);
  const robust = formatRobustness(line, unit);
  return markup`<li class="${name}">
    <span class="badge">${badge(name)}</span>
    <div>
      <p class="claim">${claim}</p>
      <p class="rest">
        ${rest}${line.leftOut === null ? null : markup` <span class="left-out">${line.leftOut}</span>`}
      </p>
      ${robust === null ? null : markup`<p class="robustness">${robust}</p>`}
      ${(line.robustTo ?? []).map(({ sentence }) => markup`<p class="rest">${sentence}</p>`)}
    </div>
    <div class="drawing">${drawing}</div>
  </li>`;
}

function badge(name: VerdictName): Markup {
  const { sign, word } = VERDICT_LOOKS[name];
  return markup`<span class="sign" aria-hidden="true">${sign}</span> ${word}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** How many comparisons came to each verdict. */
export const verdictTally = (lines: readonly VerdictLine[]): Markup[] =>
  (Object.keys(VERDICT_LOOKS) as VerdictName[])
    .map((name) => ({ name, count: lines.filter(({ verdict }) => (verdict ?? 'none') === name).length }))
    .filter(({ count }) => count > 0)
    .map(({ name, count }) => markup`<span class="badge ${name}">${count} ${badge(name)}</span> `);

interface StripOptions {
  readonly range: readonly [number, number];
  /** Right is always better for the viewer; the numbers keep their sign. */
  readonly better: 'higher' | 'lower' | null;
}

const WIDTH = 320;
const HEIGHT = 30;
const MIDDLE = 15;
/** Ticks closer than a pixel are one. */
const MAX_TICKS = 120;

/**
 * A comparison at a glance: a tick a pair, the 95 % interval as a bar, the mean as a ring; the line is no difference, the
 * wash around it what does not matter. What it shows stands in the sentence beside it.
 */
function strip(line: VerdictLine, { range, better }: StripOptions): Markup {
  const at = placing(range, better);
  const [left, right] = [at(-line.margin), at(line.margin)].sort((a, b) => a - b) as [number, number];
  const ticks = standIns(line.differences, MAX_TICKS).map((value) => `M${px(at(value))} 6V24`);
  const colour = tone(verdictLook(line.verdict).tone);
  return trusted(
    element('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: 'strip', 'aria-hidden': 'true' }, [
      element('rect', { x: left, y: 3, width: Math.max(0, right - left), height: 24, fill: tone('grid') }),
      element('path', { d: `M${px(at(0))} 1V29`, stroke: tone('control-line'), 'stroke-width': 1.2 }),
      element('path', {
        d: ticks.join('') || 'M0 0',
        stroke: tone('ink-3'),
        'stroke-width': 1,
        'stroke-opacity': '0.45',
      }),
      ...(line.difference === null
        ? []
        : estimate(line.interval?.map(at) ?? null, at(line.difference), colour)),
    ]),
  );
}

const estimate = (ends: readonly number[] | null, mean: number, stroke: string): string[] => [
  ...(ends === null
    ? []
    : [
        element('path', {
          d: `M${px(Math.min(...ends))} ${MIDDLE}H${px(Math.max(...ends))}`,
          stroke,
          'stroke-width': 4,
          'stroke-linecap': 'round',
        }),
      ]),
  element('circle', { cx: mean, cy: MIDDLE, r: 4.5, fill: tone('surface'), stroke, 'stroke-width': 2.2 }),
];

function placing(
  [min, max]: StripOptions['range'],
  better: StripOptions['better'],
): (value: number) => number {
  const share = (value: number): number => Math.min(1, Math.max(0, (value - min) / (max - min)));
  return (value) => 2 + (WIDTH - 4) * (better === 'lower' ? 1 - share(value) : share(value));
}

/** What the strips of several comparisons show, from the least to the most difference; one for all, so that they compare. */
function stripRange(lines: readonly VerdictLine[]): readonly [number, number] {
  const margin = Math.max(0, ...lines.map((line) => line.margin));
  const ends = lines.flatMap(({ interval, differences }) => [
    ...(interval ?? []),
    // A few pairs far out would press all others into one line; they stand at the edge.
    ...(differences.length > 0 ? [quantile(differences, 0.05), quantile(differences, 0.95)] : []),
  ]);
  const [min, max] = [Math.min(0, -margin, ...ends), Math.max(0, margin, ...ends)];
  const span = max - min || 1;
  return [min - MARGIN * span, max + MARGIN * span];
}

const MARGIN = 0.06;
