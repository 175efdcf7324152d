import { print, printProgress } from '../../node/print.ts';
import type { Bench } from '../bench.ts';
import { type Figure, figureTable, summary, writeFigures } from '../figure.ts';
import { reportSection } from './reportSection.ts';
import type { TrialSection } from './trialSection.ts';
import { truthSection } from './truthSection.ts';

const sections: readonly TrialSection[] = [truthSection, reportSection];

/** Whether the sentences of trials are right as often as they say, and what a report of many sessions costs. */
export const trialBench: Bench = {
  id: 'trial',
  label:
    'trials with known truth: stated and found; time, memory and size of a report of ten million sessions',
  sections: sections.map(({ id, label }) => ({ id, label })),
  async run({ json, quick = false, only, root }) {
    const figures: Figure[] = [];
    for (const { id, label, measure } of sections) {
      if (only && !only.includes(id)) continue;
      print(`\n${label}`);
      const measured = await measure({ root, isQuick: quick, say: printProgress, print });
      print(figureTable(measured));
      figures.push(...measured);
    }
    if (json) writeFigures(json, figures);
    print(summary(figures));
    return 0;
  },
};
