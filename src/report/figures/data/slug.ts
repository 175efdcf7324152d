/** Words from anywhere as part of an id. */
export const slug = (...words: readonly string[]): string =>
  words
    .map((each) =>
      each
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, ''),
    )
    .filter((each) => each !== '')
    .join('-');
