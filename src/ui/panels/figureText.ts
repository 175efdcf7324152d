/** A key figure in words; a null value is not known, and `sub` then says why. */
export interface FigureText {
  readonly id: 'bitrate' | 'buffer' | 'rebuffer' | 'join' | 'qoe';
  readonly label: string;
  readonly value: string | null;
  readonly unit: string;
  readonly sub: string;
}
