import { reportHtml } from '../../src/report/html/reportHtml.ts';
import { reportModel } from '../../src/report/model/reportModel.ts';
import type { ReportSource } from '../../src/report/reportSource.ts';
import { reportCsv } from '../../src/report/text/reportData.ts';
import { reportMarkdown } from '../../src/report/text/markdown.ts';

/**
 * The differences that the whole report of a campaign claims, by the words that a reader finds in its page, its Markdown
 * and its tables. @throws Error where these do not say the same
 */
export function claimsIn(source: ReportSource): readonly string[] {
  const model = reportModel(source);
  const claims = [
    model.verdicts.flatMap(({ verdict }) => (verdict === 'better' || verdict === 'worse' ? [verdict] : [])),
    found(reportHtml(model, { styles: '', logAddress: null }), /<li class="(better|worse)">/g),
    found(reportMarkdown(model), /^- \*\*(better|worse)\*\*: /gm),
    found(reportCsv(model).get('verdicts.csv') ?? '', /,(better|worse),/g),
  ];
  if (new Set(claims.map(String)).size > 1)
    throw new Error(`The forms of a report claim different things: ${claims.map(String).join(' | ')}.`);
  return claims[0]!;
}

const found = (text: string, words: RegExp): string[] => [...text.matchAll(words)].map(([, word]) => word!);
