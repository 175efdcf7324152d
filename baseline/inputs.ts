import path from 'node:path';
import { hasBundle, pathsIn, readBundle, unpack } from './bundle.ts';

/** The bundles that commands read, each under its name. */
export const INPUTS = ['old', 'sim', 'campaign', 'lab'] as const;

/** Unpacks them in `folder`, but those that are there; returns where they lie. */
export function unpackInputs(folder: string): string {
  const inputs = path.join(folder, 'inputs');
  for (const bundle of INPUTS)
    if (hasBundle(bundle) && pathsIn(path.join(inputs, bundle)).length === 0)
      unpack(readBundle(bundle), path.join(inputs, bundle));
  return inputs;
}

export const inputNames = (): InputNames => ({
  old: hasBundle('old') ? Object.keys(readBundle('old')) : [],
  lab: hasBundle('lab') ? Object.keys(readBundle('lab')) : [],
});

/** The paths in the bundles that decide how many commands there are. */
export interface InputNames {
  readonly old: readonly string[];
  readonly lab: readonly string[];
}
