/** A text with what stands between the marks of `name` written anew; the rest is left as it is. @throws Error in one sentence where a mark is missing */
export function marked(text: string, name: string, between: string): string {
  const [begin, end] = [`<!-- results of ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The page has no marks for ${name}: "${begin}" and "${end}".`);
  return `${text.slice(0, from)}${begin}\n${IGNORED[0]}\n\n${between}\n\n${IGNORED[1]}\n${text.slice(to)}`;
}

/** For Prettier: tables that a program wrote stay as they are. */
const IGNORED = ['<!-- prettier-ignore-start -->', '<!-- prettier-ignore-end -->'] as const;
