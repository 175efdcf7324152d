import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { logDirOf } from '../../../node/logFiles.ts';
import { answerHtml } from '../html/answerHtml.ts';
import { reportHtml } from '../html/reportHtml.ts';
import type { ReportModel } from '../model/reportModel.ts';

/** Place where a report is read. */
interface HtmlPlace {
  /** The campaign's folder. */
  readonly folder: string;
  /** The report's file; null: it is printed. */
  readonly file: string | null;
  /** Folder of the checkout, which has the styles. */
  readonly root: string;
  /** The address of a served page that shows sessions side by side. */
  readonly page?: string | undefined;
}

/** Makes a report as one file of HTML. */
export const htmlReport = (model: ReportModel, { folder, file, root, page }: HtmlPlace): string =>
  reportHtml(model, {
    styles: stylesIn(root),
    logAddress: sessionAddress(folder, file ?? folder),
    compareAddress: page === undefined ? null : compareAddress(page, model.campaign.compare),
  });

/** Makes the answer of a campaign as one page of HTML. */
export const htmlAnswer = (model: ReportModel, root: string): string => answerHtml(model, stylesIn(root));

/** Reads the page's own tokens and the report's styles, so that a report looks as the page does. */
const stylesIn = (root: string): string =>
  ['src/ui/tokens.css', 'experiment/report/html/report.css']
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');

/** Makes a function that returns where a page that `pitwall open` serves shows sessions of its campaign side by side. */
export const compareAddress =
  (page: string, compared?: CampaignFile['compare']) =>
  (sessions: readonly string[]): string => {
    const query = compared === 'transfers' ? '%3Fby=transfers' : '';
    const logs = sessions.map((id) => `log=campaign/sessions/${encodeURIComponent(id)}.json${query}`);
    return `${page}?${logs.join('&')}`;
  };

/** Makes a function that returns where a session's log lies, relative to a report: a folder can be moved as a whole. */
export function sessionAddress(folder: string, report: string): (session: string) => string {
  const way = path.relative(path.dirname(path.resolve(report)), logDirOf(path.resolve(folder)));
  const address = way.split(path.sep).map(encodeURIComponent).join('/');
  return (session) => `${address}/${encodeURIComponent(session)}.json`;
}
