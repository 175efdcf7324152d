import { demoMounts } from '../lab/content/contentMounts.ts';
import { print, printProgress } from '../node/print.ts';
import type { Entry } from '../src/shared/registry.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { prepareOtherPlace, preparePlace, type Place } from './measure/place.ts';
import { pageSections, type SectionResult } from './pageSections.ts';
import { summary, writeFigures } from './figure.ts';

/** What recording and charts cost a viewer, beside a bare dash.js page in the same run. */
export const pageBench: Bench = {
  id: 'page',
  label: 'main thread, first frame, a synthetic day and size, compared with a bare dash.js page',
  sections: pageSections.map(({ id, label }): Entry => ({ id, label })),
  options: ['beside'],
  async run(options) {
    const where = { mounts: demoMounts(), print };
    const place = await preparePlace(options.root, where);
    let other: Place | null = null;
    try {
      if (options.beside) other = await prepareOtherPlace(options.beside, where);
      const results = await runSections({ place, other }, options);
      if (options.json) write(options.json, results);
      print(summary(results.flatMap(({ figures }) => figures)));
      return 0;
    } finally {
      await other?.stop();
      await place.stop();
    }
  },
};

async function runSections(
  places: { place: Place; other: Place | null },
  options: BenchOptions,
): Promise<SectionResult[]> {
  const results: SectionResult[] = [];
  for (const section of pageSections) {
    if (options.only && !options.only.includes(section.id)) continue;
    print(`\n${section.label}`);
    const result = await section.measure({ ...options, ...places, say: printProgress });
    print(result.text);
    results.push(result);
  }
  return results;
}

function write(file: string, results: readonly SectionResult[]): void {
  const raw = Object.fromEntries(results.map(({ id, raw }) => [id, raw]));
  writeFigures(
    file,
    results.flatMap(({ figures }) => figures),
    raw,
  );
}
