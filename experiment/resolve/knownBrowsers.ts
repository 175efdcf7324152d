import { browsers } from '../../lab/browser/registry.ts';
import type { KnownBrowser } from '../factors/factor.ts';

/** The lab's browsers, as campaigns name them. */
export const knownBrowsers: readonly KnownBrowser[] = browsers.map(({ id, label, modes, warmUp }) => ({
  id,
  label,
  canBeWarm: warmUp !== null,
  modes: modes.map((mode) => mode.id),
}));
