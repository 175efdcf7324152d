import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { verdictOf, type Figure } from './figure.ts';

/** Writes figures with what was measured on, so that two files can be held beside each other. */
export function writeFigures(file: string, figures: readonly Figure[], raw: object = {}): void {
  const machine = { cpu: cpus()[0]?.model ?? null, cores: cpus().length, node: process.version };
  const judged = figures.map((figure) => ({ ...figure, verdict: verdictOf(figure) || null }));
  writeFileSync(
    file,
    `${JSON.stringify({ at: new Date().toISOString(), machine, figures: judged, raw }, null, 2)}\n`,
  );
}
