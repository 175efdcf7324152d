import { markup, type Inside, type Markup } from './markup.ts';
import { strip, stripRange } from './strip.ts';
import { tableHtml } from './tableHtml.ts';
import type { ReportModel } from '../model/reportModel.ts';
import { verdictTable, type VerdictLine } from '../model/verdictLines.ts';
import { formatCount, formatSigned } from '../../shared/format.ts';
import { decimalsOf, formatUnit } from '../format.ts';
import { VERDICT_LOOKS, type VerdictName } from '../verdictLook.ts';

/** The verdict of every declared comparison: a sentence, and its pairs at a glance. */
export function verdictsHtml(model: ReportModel): Markup {
  const { verdicts, primary, campaign } = model;
  const networks = [...new Set(verdicts.map(({ comparison }) => comparison.network))];
  const groups = networks.map((network) =>
    verdicts.filter(({ comparison }) => comparison.network === network),
  );
  return markup`<section id="verdict">
    <h2>Verdict on ${primary.label}</h2>
    <p class="caption">
      By pairs: Wilcoxon’s signed-rank test (zeros as Pratt) with Holm’s correction over
      ${formatCount(verdicts.length, 'comparison')}, and a bootstrap interval of the mean difference.
      ${capital(primary.label)}: ${primary.meaning}.
    </p>
    <p class="tally">${verdictTally(verdicts)}</p>
    ${groups.map((lines) => group(lines, model))}
    <p class="caption">
      Each tick is a pair, the bar the 95 % interval of the mean, the ring the mean; the line is no
      difference, the wash ± ${campaign.margin}${formatUnit(primary.unit)}, which does not matter. Right is
      better for the viewer, numbers keep their own sign.
    </p>
    <details>
      <summary>Verdicts in numbers</summary>
      ${tableHtml(verdictTable(verdicts, primary), { level: 3 })}
    </details>
  </section>`;
}

function group(lines: readonly VerdictLine[], { campaign, primary }: ReportModel): Markup {
  const [first] = lines;
  const range = stripRange(lines, campaign.margin);
  const heading = first?.comparison.network == null ? null : markup`<h3>${first.comparison.network}</h3>`;
  const decimals = decimalsOf(range, 0);
  const [left, right] = primary.better === 'lower' ? [range[1], range[0]] : range;
  return markup`${heading}
    <ul class="verdicts">
      ${lines.map((line) =>
        item(
          line,
          markup`${strip(line, { range, margin: campaign.margin, better: primary.better })}
            <p class="ends">
              <span>${formatSigned(left, decimals)}</span><span>worse ◂ ▸ better</span
              ><span>${formatSigned(right, decimals)}${formatUnit(primary.unit)}</span>
            </p>`,
        ),
      )}
    </ul>`;
}

function item(line: VerdictLine, drawing: Inside): Markup {
  const name = line.verdict ?? 'none';
  const [claim, ...rest] = splitSentence(line.sentence);
  return markup`<li class="${name}">
    <span class="badge">${badge(name)}</span>
    <div>
      <p class="claim">${claim}</p>
      <p class="rest">
        ${rest}${line.leftOut === null ? null : markup` <span class="left-out">${line.leftOut}</span>`}
      </p>
    </div>
    <div class="drawing">${drawing}</div>
  </li>`;
}

/** The claim stands alone; numbers follow smaller. */
function splitSentence(sentence: string): readonly string[] {
  const place = sentence.search(/, (?:difference|95 %)|\. /);
  if (place < 0) return [sentence];
  const rest = sentence.slice(place + 2);
  return [`${sentence.slice(0, place)}.`, `${rest.charAt(0).toUpperCase()}${rest.slice(1)}`];
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
