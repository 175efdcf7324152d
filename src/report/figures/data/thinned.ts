/** At most so many of these, at equal steps, with the first and the last. */
export const thinned = <Entry>(entries: readonly Entry[], max: number): readonly Entry[] =>
  entries.length <= max
    ? entries
    : Array.from(
        { length: max },
        (_, place) => entries[Math.round((place * (entries.length - 1)) / (max - 1))]!,
      );
