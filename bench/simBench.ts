import { print, printProgress } from '../node/print.ts';
import type { Entry } from '../src/shared/registry.ts';
import type { Bench } from './bench.ts';
import { type Figure, figureTable, summary, writeFigures } from './figure.ts';
import { simSections } from './sim/simSections.ts';
import { traceSet } from './sim/traceSet.ts';

/** What simulating, deciding and the optimum cost, on one core. */
export const simBench: Bench = {
  id: 'sim',
  label: 'sessions per second, time per decision, after a day, and of the optimum, on one core',
  sections: simSections.map(({ id, label }): Entry => ({ id, label })),
  async run({ json, quick = false, only }) {
    const set = traceSet();
    print(`traces: ${set.label}; video: Envivio, 48 segments of 4 s; one thread of ${process.version}`);
    const figures: Figure[] = [];
    for (const section of simSections) {
      if (only && !only.includes(section.id)) continue;
      print(`\n${section.label}`);
      const measured = await section.measure({ traces: set.traces, quick, say: printProgress });
      print(figureTable(measured));
      figures.push(...measured);
    }
    if (json) writeFigures(json, figures, { traces: set.label });
    print(summary(figures));
    return 0;
  },
};
