/** Rungs that were played in the chunk model, the first one forced, and their QoE without the first segment's. */
export interface Policy {
  readonly rungs: readonly number[];
  readonly qoe: number;
}
