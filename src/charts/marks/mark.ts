import type { Span } from '../../analysis/timeline/spans.ts';

/**
 * What a lane is made of: shapes in the units of its axes (ms across, the axis' unit up). Many shapes of one kind
 * are columns of numbers, not objects. NaN in `ys` breaks a line. A tone is a token's name without the dashes.
 */
export type Mark =
  LineMark | DotsMark | BarsMark | SpansMark | CellsMark | TextsMark | WashMark | HatchMark | FlagsMark;

type Numbers = ArrayLike<number>;

export interface LineMark {
  readonly kind: 'line';
  readonly axis: 'left' | 'right';
  readonly xs: Numbers;
  readonly ys: Numbers;
  readonly tone: string;
  readonly widthPx: number;
  /** Lengths of dash and gap in px; empty for a whole line. */
  readonly dash: readonly number[];
  /** Hold each value until the next point. */
  readonly step: boolean;
  /** A light fill down to the axis. */
  readonly fill: boolean;
  /** An edge in the colour of the ground, where the line crosses fills. */
  readonly halo: boolean;
}

/** One dot each, coloured by protocol. Below 2 px they are drawn as points. */
export interface DotsMark {
  readonly kind: 'dots';
  readonly xs: Numbers;
  readonly ys: Numbers;
  readonly protocols: Numbers;
  readonly hollow: boolean;
  readonly radiusPx: number;
}

/** Rectangles from `base` to `top`, coloured by protocol. */
export interface BarsMark {
  readonly kind: 'bars';
  readonly fromMs: Numbers;
  readonly toMs: Numbers;
  readonly base: Numbers;
  readonly top: Numbers;
  readonly protocols: Numbers;
}

export const LOOKS = ['phases', 'failed', 'aborted', 'unknown', 'running'] as const;
export type Look = (typeof LOOKS)[number];

/** Requests: a thin line from `fromMs` to `midMs` (latency), a solid bar from there to `toMs` (transfer). */
export interface SpansMark {
  readonly kind: 'spans';
  readonly fromMs: Numbers;
  readonly midMs: Numbers;
  readonly toMs: Numbers;
  readonly ys: Numbers;
  readonly protocols: Numbers;
  /** Index into LOOKS. */
  readonly looks: Numbers;
  readonly heightPx: number;
}

export const CELL_LOOKS = ['decided', 'voted', 'not-asked'] as const;

/** Cells of a matrix with a small number in them. */
export interface CellsMark {
  readonly kind: 'cells';
  readonly fromMs: Numbers;
  readonly toMs: Numbers;
  readonly ys: Numbers;
  /** What is written; NaN for nothing. */
  readonly numbers: Numbers;
  /** Index into `tones`. */
  readonly tone: Numbers;
  readonly tones: readonly string[];
  /** Index into CELL_LOOKS. */
  readonly looks: Numbers;
  readonly heightPx: number;
  readonly maxWidthPx: number;
}

export interface TextsMark {
  readonly kind: 'texts';
  readonly items: readonly TextItem[];
}

export interface TextItem {
  readonly atMs: number;
  readonly axis: 'left' | 'right';
  readonly y: number;
  readonly text: string;
  readonly tone: string;
  readonly strong: boolean;
  readonly align: 'left' | 'center';
  readonly dxPx: number;
  readonly dyPx: number;
  /** Filled shape behind the text (race outcomes); null for plain text with an edge in the ground's colour. */
  readonly badge: { readonly shape: 'circle' | 'square'; readonly tone: string } | null;
}

/** Makes a text at a time and a level of the left axis, small and quiet unless `changes` say otherwise. */
export const textAt = (
  text: string,
  place: Pick<TextItem, 'atMs' | 'y'>,
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

/** What lies in the middle of its place. */
export const CENTERED = { align: 'center', dxPx: 0 } as const;

/** Stalls or unrecorded time, from top to bottom of every lane. */
export interface WashMark {
  readonly kind: 'wash';
  readonly spans: readonly Span[];
  readonly what: 'stall' | 'gap';
}

/** Hatched bands `heightPx` high: stalls at the bottom edge, a broken Alt-Svc at a level of the left axis. */
export interface HatchMark {
  readonly kind: 'hatch';
  readonly spans: readonly Span[];
  readonly what: 'stall' | 'broken';
  readonly y: number;
  readonly heightPx: number;
}

/** Small ▲ at the bottom edge. */
export interface FlagsMark {
  readonly kind: 'flags';
  readonly xs: Numbers;
}

/** A lane as text. */
export interface LaneTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Rows left out because there are too many to read; 0 when all are there. */
  readonly leftOut: number;
}
