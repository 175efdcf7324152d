import type { TextItem } from '../mark.ts';

/** Words in a session's row. */
export const formatRow = (
  text: string,
  place: { atMs: number; y: number },
  changes: Partial<TextItem> = {},
): TextItem => ({
  axis: 'left',
  tone: 'ink-3',
  strong: false,
  align: 'left',
  dxPx: 6,
  dyPx: 0,
  badge: null,
  text,
  ...place,
  ...changes,
});
