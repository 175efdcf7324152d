import { print, printProgress } from '../../node/print.ts';
import type { Bench } from '../bench.ts';
import { type Figure, figureTable, summary, writeFigures } from '../figure.ts';
import { loadMissing } from '../../lab/load/loadProgram.ts';
import type { Entry } from '../../src/shared/registry.ts';
import { floodSection } from './floodSection.ts';
import type { OriginSection } from './originSection.ts';
import { slowSection } from './slowSection.ts';
import { speedSection } from './speedSection.ts';

const originSections: readonly OriginSection[] = [speedSection, slowSection, floodSection];

/** Our own origin beside Caddy, under one load. */
export const originBench: Bench = {
  id: 'origin',
  label: 'our origin compared with Caddy on loopback: MB/s, processor time, 500 slow clients',
  sections: originSections.map(({ id, label }): Entry => ({ id, label })),
  async run({ json, quick = false, only }) {
    if (process.platform !== 'linux') throw new Error('This benchmark reads /proc and needs Linux.');
    const missing = loadMissing();
    if (missing) throw new Error(`${missing}.`);
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(130));
    const figures: Figure[] = [];
    const raw: Record<string, unknown> = {};
    for (const section of originSections) {
      if (only && !only.includes(section.id)) continue;
      print(`\n${section.label}\n`);
      const result = await section.measure({ quick, say: printProgress });
      print(`${result.text}\n\n${figureTable(result.figures)}`);
      figures.push(...result.figures);
      raw[section.id] = result.raw;
    }
    if (json) writeFigures(json, figures, raw);
    print(summary(figures));
    return 0;
  },
};
