import { demoMounts } from '../lab/content/contentMounts.ts';
import { print, printProgress } from '../node/print.ts';
import type { Entry } from '../src/shared/registry.ts';
import type { Bench, BenchOptions } from './bench.ts';
import { preparePlace, type Place } from './measure/place.ts';
import { pageSections, type SectionResult } from './pageSections.ts';
import { summary, writeFigures } from './figure.ts';

/** What recording and charts cost a viewer, beside a bare dash.js page in the same run. */
export const pageBench: Bench = {
  id: 'page',
  label: 'main thread, first frame, a synthetic day and size, compared with a bare dash.js page',
  sections: pageSections.map(({ id, label }): Entry => ({ id, label })),
  async run(options) {
    const place = await preparePlace(options.root, { mounts: demoMounts(), print });
    try {
      const results = await runSections(place, options);
      if (options.json) write(options.json, results);
      print(summary(results.flatMap(({ figures }) => figures)));
      return 0;
    } finally {
      await place.stop();
    }
  },
};

async function runSections(place: Place, options: BenchOptions): Promise<SectionResult[]> {
  const results: SectionResult[] = [];
  for (const section of pageSections) {
    if (options.only && !options.only.includes(section.id)) continue;
    print(`\n${section.label}`);
    const result = await section.measure({ ...options, place, say: printProgress });
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
