import type { NpmPart, Part } from './npmParts.mjs';

export const SOURCES: readonly string[];
export function knownParts(root: string): {
  readonly shipped: readonly NpmPart[];
  readonly development: readonly NpmPart[];
  readonly programs: readonly Part[];
  readonly python: readonly { readonly name: string; readonly version: string }[];
  readonly sources: readonly { readonly file: string; readonly sha256: string }[];
};
