/** A key's little picture, 16 × 9, as paths: the page makes SVG of it, an exported picture draws it on its canvas. */
export interface Glyph {
  readonly d: string;
  readonly fill?: string;
  readonly stroke?: string;
  readonly widthPx?: number;
  readonly dash?: readonly number[];
}

const LINE = 'M0 4.5H16';
const BOX = 'M3.5 .5h9v8h-9z';
const CIRCLE = 'M8 1.5a3 3 0 1 1 0 6a3 3 0 1 1 0-6z';
const DIAGONALS = 'M3.5 4.5l4-4M3.5 8.5l8-8M8.5 8.5l4-4';
const SPOTS = 'M5.5 2.5h.01M8 2.5h.01M10.5 2.5h.01M5.5 5.8h.01M8 5.8h.01M10.5 5.8h.01';

const box = (tone: string): readonly Glyph[] => [{ d: 'M4 0h9v9h-9z', fill: tone }];
const line = (stroke: string, widthPx: number, dash: readonly number[] = []): readonly Glyph[] => [
  { d: LINE, stroke, widthPx, dash },
];
const hatched = (tone: string): readonly Glyph[] => [
  { d: DIAGONALS, stroke: tone, widthPx: 1.6 },
  { d: BOX, stroke: tone, widthPx: 1 },
];

/** px. Of the outline of a request that the player aborted. */
export const ABORTED_DASH = [2, 2] as const;

export const GLYPHS = {
  rendered: line('ink', 2.25),
  requested: line('ink-3', 1.25),
  estimate: line('ink-2', 1.5, [5, 3]),
  target: line('ink-3', 1, [2, 3]),
  share: line('ink', 1.75),
  dot: [{ d: CIRCLE, fill: 'ink-2' }],
  ring: [{ d: CIRCLE, fill: 'surface', stroke: 'ink-2', widthPx: 1.5 }],
  stall: hatched('stall'),
  failed: hatched('protocol-h3'),
  aborted: [{ d: BOX, stroke: 'ink-2', widthPx: 1, dash: ABORTED_DASH }],
  phases: [
    { d: 'M0 4.5H7', stroke: 'ink-2', widthPx: 1.5 },
    { d: 'M6.5 1h9.5v7h-9.5z', fill: 'ink-2' },
  ],
  h1: box('protocol-h1'),
  h2: box('protocol-h2'),
  h3: box('protocol-h3'),
  unknown: [
    { d: SPOTS, stroke: 'protocol-unknown', widthPx: 1.6 },
    { d: BOX, stroke: 'protocol-unknown', widthPx: 1 },
  ],
  quic: [{ d: 'M8 0a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z', fill: 'protocol-h3' }],
  tcp: [{ d: 'M4 .5h8v8h-8z', fill: 'protocol-h2' }],
  waits: [
    { d: 'M1 4.5H13', stroke: 'protocol-h2', widthPx: 1.5 },
    { d: 'M12 2h3v5h-3z', fill: 'protocol-h2' },
  ],
  orphan: [{ d: 'M1.5 2h13v5h-13z', stroke: 'protocol-h3', widthPx: 1 }],
  broken: [{ d: DIAGONALS, stroke: 'ink-3', widthPx: 1.6 }],
  died: [{ d: 'M5 1.5l6 6M11 1.5l-6 6', stroke: 'ink', widthPx: 1.75 }],
  switch: [{ d: 'M8 1.5l4 6h-8z', fill: 'ink' }],
} as const satisfies Readonly<Record<string, readonly Glyph[]>>;

export type GlyphId = keyof typeof GLYPHS;
