import { failed, ok, type Result } from '../../shared/result.ts';
import type { Setup } from './setup.ts';

/** One row of the form, as typed. */
export interface OriginRow {
  readonly origin: string;
  /** One "Name: value" a line. */
  readonly headers: string;
  readonly credentials: boolean;
}

// RFC 9110 §5.6.2: a field name is a token.
const HEADER = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):(.*)$/;

/** Request headers and credentials by origin; rows left empty are skipped. */
export function readOrigins(rows: readonly OriginRow[]): Result<Setup['origins']> {
  const origins: Record<string, { headers?: Record<string, string>; credentials?: boolean }> = {};
  for (const row of rows) {
    if (row.origin.trim() === '' && row.headers.trim() === '') continue;
    const url = URL.parse(row.origin.trim());
    if (!url || !/^https?:$/.test(url.protocol))
      return failed(`Request headers: “${row.origin}” is not an origin such as https://cdn.example.`);
    const headers = readHeaders(row.headers, url.origin);
    if (!headers.ok) return headers;
    origins[url.origin] = {
      ...(Object.keys(headers.value).length > 0 && { headers: headers.value }),
      ...(row.credentials && { credentials: true }),
    };
  }
  return ok(origins);
}

function readHeaders(text: string, origin: string): Result<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined)
      return failed(`Request headers of ${origin}: “${line}” is not of the form “Name: value”.`);
    headers[name] = value.trim();
  }
  return ok(headers);
}
