// What `npm run test:full` found, as a page for people.

const clock = (seconds) =>
  seconds < 60
    ? `${seconds} s`
    : `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;

/**
 * `parts` holds what is done, by name; `names` are all parts in order. Returns the page and the sums; `open` is how many
 * parts are not done.
 */
export function summaryOf({ version, parts, names, machine }) {
  const done = names.filter((name) => parts[name]);
  const sum = (key) => done.reduce((total, name) => total + parts[name][key], 0);
  const [passed, failed, skipped, seconds] = ['passed', 'failed', 'skipped', 'seconds'].map(sum);
  const dates = [...new Set(done.map((name) => parts[name].date))].sort();
  const open = names.filter((name) => !parts[name]);
  const failures = done.flatMap((name) => parts[name].failures.map((title) => `- ${name}: ${title}`));
  const rows = done.map((name) => {
    const part = parts[name];
    return `| ${name} | ${part.passed} | ${part.failed} | ${part.skipped} | ${clock(part.seconds)} |`;
  });
  const text = `# The last full test

\`npm run test:full\` runs every check, every test with its whole matrix and every bench with \`--quick\`, and writes this page.

- Version: ${version}
- Date: ${dates.join(', ') || 'none'}
- Machine: ${machine}
- Result: ${passed} passed, ${failed} failed, ${skipped} skipped, in ${clock(seconds)}
- Not run: ${open.length === 0 ? 'nothing' : open.join(', ')}

## What failed

${failures.length === 0 ? 'Nothing.' : failures.join('\n')}

## Parts

| part | passed | failed | skipped | time |
| ---- | -----: | -----: | ------: | ---: |
${rows.join('\n')}
`;
  return { text, passed, failed, skipped, open: open.length };
}
