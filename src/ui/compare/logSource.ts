import { failed, ok, type Result } from '../../shared/result.ts';

/** Where a log comes from: a file of the visitor, or an address. */
export interface LogSource {
  /** As people know it: the file's name, or the end of the address. */
  readonly name: string;
  /** What a link to this view names it by; null for a file, which no link can reach. */
  readonly address: string | null;
  file(): Promise<Result<Blob>>;
}

export const fileSource = (file: File): LogSource => ({
  name: file.name,
  address: null,
  file: () => Promise.resolve(ok(file)),
});

/** `address` as the link has it, relative to the page or to the list it stood in (`base`). */
export function linkedSource(address: string, base: string): LogSource {
  const url = URL.parse(address, base);
  return { name: nameOf(url?.pathname ?? address), address, file: () => fetched(url) };
}

/** An answer's body, or one sentence that says why there is none. */
export async function fetched(url: URL | null): Promise<Result<Blob>> {
  if (!url || !/^https?:$/.test(url.protocol)) return failed('Its address is not http(s).');
  const answer = await fetch(url).catch(() => null);
  if (answer === null)
    return failed('It could not be fetched: no answer, or not open to other pages (CORS).');
  if (!answer.ok) return failed(`The server answered ${answer.status}.`);
  const body = await answer.blob().catch(() => null);
  return body === null ? failed('The connection ended before it was complete.') : ok(body);
}

const nameOf = (path: string): string => {
  const last = path.split('/').at(-1) ?? path;
  try {
    return decodeURIComponent(last) || path;
  } catch {
    return last;
  }
};
