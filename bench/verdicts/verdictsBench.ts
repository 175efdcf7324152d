import { print, printProgress } from '../../node/print.ts';
import { coverageSection } from './coverageSection.ts';
import { falseClaimsSection } from './falseClaimsSection.ts';
import { marginSection, nullSection, plantedSection } from './sections.ts';
import { powerSection } from './powerSection.ts';
import type { VerdictSection } from './verdictSection.ts';
import type { Bench } from '../bench.ts';
import { type Figure, figureTable, summary, writeFigures } from '../figure.ts';

const sections: readonly VerdictSection[] = [
  coverageSection,
  falseClaimsSection,
  nullSection,
  plantedSection,
  marginSection,
  powerSection,
];

/** Whether whole reports of simulated campaigns claim what is not there, and find what is. */
export const verdictsBench: Bench = {
  id: 'verdicts',
  label: 'false alarms of complete reports, and how often they find a planted difference',
  sections: sections.map(({ id, label }) => ({ id, label })),
  run({ json, quick = false, only, root }) {
    const figures: Figure[] = [];
    for (const { id, label, repetitions, measure } of sections) {
      if (only && !only.includes(id)) continue;
      print(`\n${label}`);
      const measured = measure({
        repetitions: quick ? repetitions / 100 : repetitions,
        say: printProgress,
        root,
        print,
      });
      if (measured.length > 0) print(figureTable(measured));
      figures.push(...measured);
    }
    if (json) writeFigures(json, figures);
    print(summary(figures));
    return Promise.resolve(0);
  },
};
