import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Rule } from '../src/abr/rule.ts';

/** The file of weights that comes with a rule; null for a rule without. */
export const shippedWeights = ({ shippedWeights: file }: Pick<Rule, 'shippedWeights'>): string | null =>
  file === undefined ? null : path.join(publicFolder(import.meta.dirname), file);

/** `public/` of the checkout that this code lies in, built into one file or not. */
function publicFolder(folder: string): string {
  const found = path.join(folder, 'public');
  const above = path.dirname(folder);
  return existsSync(found) || above === folder ? found : publicFolder(above);
}
