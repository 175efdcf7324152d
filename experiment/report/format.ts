/** `h1`, `h2 and h3-only`, `h1, h2 and h3-only`. */
export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
