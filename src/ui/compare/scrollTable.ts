import { html } from '../dom.ts';

interface TableParts {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly caption?: string | null;
  readonly heads: readonly HTMLElement[];
  readonly rows: readonly HTMLElement[];
}

/** A table that scrolls sideways, also by keys, where it is wider than the page. */
export const scrollTable = ({ label, caption = null, heads, rows }: TableParts): HTMLElement =>
  html(
    'div',
    { class: 'compare-scroller', tabindex: 0, role: 'region', 'aria-label': label },
    html(
      'table',
      {},
      caption === null ? null : html('caption', {}, caption),
      html('thead', {}, ...heads),
      html('tbody', {}, ...rows),
    ),
  );

/** A row of heads of columns. */
export const headRow = (heads: readonly (readonly (string | Node)[])[]): HTMLElement =>
  html('tr', {}, ...heads.map((each) => html('th', { scope: 'col' }, ...each)));
