import { marginSection } from './marginSection.ts';
import { nullSection } from './nullSection.ts';
import { plantedSection } from './plantedSection.ts';
import type { VerdictSection } from './verdictSection.ts';
import type { Bench } from '../bench.ts';
import type { Figure } from '../figure.ts';
import { figureTable } from '../figureTable.ts';
import { summary } from '../summary.ts';
import { writeFigures } from '../writeFigures.ts';

const sections: readonly VerdictSection[] = [nullSection, plantedSection, marginSection];

/** Whether whole reports of simulated campaigns claim what is not there, and find what is. */
export const verdictsBench: Bench = {
  id: 'verdicts',
  label: 'false alarms of complete reports, and how often they find a planted difference',
  sections: sections.map(({ id, label }) => ({ id, label })),
  run({ json, quick = false, only }) {
    const figures: Figure[] = [];
    for (const { id, label, repetitions, measure } of sections) {
      if (only && !only.includes(id)) continue;
      print(`\n${label}`);
      const measured = measure({ repetitions: quick ? repetitions / 100 : repetitions, say: progress });
      print(figureTable(measured));
      figures.push(...measured);
    }
    if (json) writeFigures(json, figures);
    print(summary(figures));
    return Promise.resolve(0);
  },
};

const progress = (line: string): void => void process.stderr.write(`  … ${line}\n`);
const print = (line: string): void => void process.stdout.write(`${line}\n`);
