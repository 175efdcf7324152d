import { print, printProgress } from '../../node/print.ts';
import type { Bench } from '../bench.ts';
import { loadMissing } from '../../lab/load/loadProgram.ts';
import { writeFigures } from '../figure.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import type { Entry } from '../../src/shared/registry.ts';
import { firstByteSection } from './firstByteSection.ts';
import { lossSection } from './lossSection.ts';
import { objectsSection } from './objectsSection.ts';
import { overheadSection } from './overheadSection.ts';
import { rttSection } from './rttSection.ts';
import type { SenderSection } from './senderSection.ts';
import { shareSections } from './shareSection.ts';

const senderSections: readonly SenderSection[] = [
  firstByteSection,
  rttSection,
  lossSection,
  objectsSection,
  ...shareSections,
  overheadSection,
];

/** How our origin's senders behave over emulated links, measured from both ends. */
export const sendersBench: Bench = {
  id: 'senders',
  label:
    'congestion controllers of our origin over emulated links: share, time, overhead, and the accuracy of its reports',
  sections: senderSections.map(({ id, label }): Entry => ({ id, label })),
  async run({ json, quick = false, only }) {
    const missing = linkMissing() ?? loadMissing();
    if (missing) throw new Error(`${missing}.`);
    // Leaving in the middle takes the links along.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => process.exit(130));
    const raw: Record<string, unknown> = {};
    for (const section of senderSections) {
      if (only && !only.includes(section.id)) continue;
      print(`\n${section.label}\n`);
      const result = await section.measure({ quick, say: printProgress });
      print(result.text);
      raw[section.id] = result.raw;
    }
    if (json) writeFigures(json, [], raw);
    return 0;
  },
};
