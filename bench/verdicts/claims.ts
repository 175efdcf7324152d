import { reportHtml } from '../../experiment/report/html/reportHtml.ts';
import { reportModel } from '../../experiment/report/model/reportModel.ts';
import type { ReportSource } from '../../experiment/report/reportSource.ts';
import { reportCsv } from '../../experiment/report/text/reportData.ts';
import { reportMarkdown } from '../../experiment/report/text/markdown.ts';
import type { Verdict } from '../../src/analysis/statistics/verdict.ts';
import type { Repeating } from './verdictSection.ts';

/**
 * The differences that the whole report of a campaign claims, by the words that a reader finds in its page, its Markdown
 * and its tables. @throws Error where these do not say the same
 */
export function claimsIn(source: ReportSource): readonly string[] {
  const model = reportModel(source);
  const claims = [
    model.verdicts.flatMap(({ verdict }) => (verdict !== null && isClaim(verdict) ? [verdict] : [])),
    found(
      reportHtml(model, { styles: '', logAddress: null }),
      /<li class="((?:better|worse)(?:-inside)?)">/g,
    ),
    found(reportMarkdown(model), /^- \*\*(better|worse)(, inside the margin)?\*\*: /gm),
    found(reportCsv(model).get('verdicts.csv') ?? '', /,((?:better|worse)(?:-inside)?),/g),
  ];
  if (new Set(claims.map(String)).size > 1)
    throw new Error(`The forms of a report claim different things: ${claims.map(String).join(' | ')}.`);
  return claims[0]!;
}

const isClaim = (verdict: Verdict): boolean => /^(better|worse)/.test(verdict);

/** Words of the three forms; those of Markdown are for people. */
const found = (text: string, words: RegExp): string[] =>
  [...text.matchAll(words)].map(([, word, inside]) => `${word!}${inside === undefined ? '' : '-inside'}`);

/** How many of so many campaigns have a report that claims a difference, or just the one that is asked for. Seeds count from 1. */
export function claimingReports(
  { repetitions, say }: Repeating,
  sourceOf: (seed: number) => ReportSource,
  isAsked: (claim: string) => boolean = () => true,
): number {
  let claiming = 0;
  for (let seed = 1; seed <= repetitions; seed++) {
    if (claimsIn(sourceOf(seed)).some(isAsked)) claiming += 1;
    if (seed % Math.ceil(repetitions / 4) === 0) say(`${seed} of ${repetitions} reports`);
  }
  return claiming;
}
