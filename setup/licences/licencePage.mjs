// The page of licences as Markdown. PURE.

/** One heading with its rows of { name, version, licence, use }. */
export function section(title, words, rows) {
  const cells = rows.map(({ name, version, licence, use }) =>
    [name, version, licence, use].map((cell) => cell.replaceAll('|', '\\|')).join(' | '),
  );
  return [
    `## ${title}`,
    words,
    [
      '| part | version | licence | for what |',
      '| --- | --- | --- | --- |',
      ...cells.map((line) => `| ${line} |`),
    ].join('\n'),
  ].join('\n\n');
}

/** `sources` are { file, sha256 }, `sections` what `section` returns. */
export function licencePage({ sections, sources }) {
  return `${[
    '# Licences',
    [
      'Pitwall is under the MIT licence ([LICENSE](../../LICENSE)). This page names all that it uses and did not write.',
      '`npm run licences` makes it from the lock files; a test fails when it does not match them.',
    ].join('\n'),
    [
      'A checkout has none of these parts in it. `npm run build` puts the packages of the built page into `dist/`, and',
      'their licences as `licences.txt` beside them: whoever publishes that ships them. All the rest is fetched or found by',
      'set-up, and only runs on the machine that sets up.',
    ].join('\n'),
    ...sections,
    '## Made from',
    sources.map(({ file, sha256 }) => `- \`${file}\`, SHA-256 \`${sha256}\``).join('\n'),
  ].join('\n\n')}\n`;
}
