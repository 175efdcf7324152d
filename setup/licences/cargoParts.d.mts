import type { Part } from './npmParts.mjs';

export function cargoParts(
  metadata: object,
  options: { readonly uses: Readonly<Record<string, string>> | null },
): Part[];
export function cargoLockParts(text: string): { readonly name: string; readonly version: string }[];
