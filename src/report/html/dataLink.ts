import { markup, type Markup } from './markup.ts';
import { formatCsv } from '../formatCsv.ts';
import type { Cell } from '../reportTable.ts';

/** A link that saves a table as CSV. The data is in the page itself: there is nothing to ask for. */
export function dataLink(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Markup {
  const address = `data:text/csv;charset=utf-8,${encoded(formatCsv(columns, rows))}`;
  return markup`<a class="data" href="${address}" download="${name}.csv"
    >CSV<span class="unseen"> of ${name}</span></a
  >`;
}

/** Commas, colons and slashes may stand in a data address (RFC 2397 with RFC 3986 pchar), and there are many of them. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:2C|3A|2F|3B|3D)/g, (code) => decodeURIComponent(code));
