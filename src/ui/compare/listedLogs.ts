import { failed, ok, type Result } from '../../shared/result.ts';

/** The addresses in a list file: a JSON array of texts, or one a line, `#` for remarks. Relative to the list. */
export function listedLogs(text: string, listUrl: string): Result<string[]> {
  const addresses = text.trimStart().startsWith('[') ? fromJson(text) : ok(lines(text));
  if (!addresses.ok) return addresses;
  if (addresses.value.length === 0) return failed('It lists no log.');
  const urls = addresses.value.map((address) => URL.parse(address, listUrl)?.href ?? null);
  const bad = urls.indexOf(null);
  return bad === -1
    ? ok(urls as string[])
    : failed(`Its entry ${bad + 1} is not an address: "${addresses.value[bad]!.slice(0, 80)}".`);
}

const lines = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));

function fromJson(text: string): Result<string[]> {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) && value.every((each) => typeof each === 'string')
      ? ok(value)
      : failed('It should be a JSON array of addresses.');
  } catch {
    return failed('It is not valid JSON.');
  }
}
