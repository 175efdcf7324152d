/** At most so many of these, at equal steps, with the first and the last. */
export const thinned = <Entry>(entries: readonly Entry[], most: number): readonly Entry[] =>
  entries.length <= most
    ? entries
    : Array.from(
        { length: most },
        (_, place) => entries[Math.round((place * (entries.length - 1)) / (most - 1))]!,
      );
