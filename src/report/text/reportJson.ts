import type { ReportModel } from '../model/reportModel.ts';

/** A report for programs: all of the model, figures by their numbers without the pictures. */
export function reportJson(model: ReportModel): string {
  const figures = model.figures.map(({ svg: _svg, ...data }) => data);
  return `${JSON.stringify({ ...model, figures }, null, 1)}\n`;
}
