import type { Entry } from '../../shared/registry.ts';
import type { Cmcd } from './setup.ts';

/** How the player may tell the CDN what it does (CTA-5004, version 2: CTA-5004-A). */
export const cmcdChoices: readonly (Entry & { readonly cmcd: Cmcd })[] = [
  { id: 'off', label: 'off', cmcd: null },
  { id: 'v1-header', label: 'version 1, request headers', cmcd: { version: 1, mode: 'header' } },
  { id: 'v1-query', label: 'version 1, query', cmcd: { version: 1, mode: 'query' } },
  { id: 'v2-header', label: 'version 2, request headers', cmcd: { version: 2, mode: 'header' } },
  { id: 'v2-query', label: 'version 2, query', cmcd: { version: 2, mode: 'query' } },
];
