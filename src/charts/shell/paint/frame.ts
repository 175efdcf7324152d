import type { Theme } from '../theme.ts';

/** Where a painter paints: a canvas, the lane's edges in CSS px, and how values become px. */
export interface Frame {
  readonly context: CanvasRenderingContext2D;
  readonly theme: Theme;
  readonly leftPx: number;
  readonly rightPx: number;
  readonly heightPx: number;
  x(ms: number): number;
  y(value: number, axis: 'left' | 'right'): number;
}

/** Tones of the protocol codes, in their order. */
export const PROTOCOL_TONES = ['protocol-h1', 'protocol-h2', 'protocol-unknown', 'protocol-h3'] as const;
export const UNKNOWN = 2;

export const protocolTone = (code: number): string => PROTOCOL_TONES[code] ?? 'protocol-unknown';
