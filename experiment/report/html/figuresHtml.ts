import { dataLink, bareTable } from './tableHtml.ts';
import { markup, trusted, type Inside, type Markup } from './markup.ts';
import type { ReportFigure } from '../figures/figure.ts';
import type { ReportModel } from '../model/reportModel.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { listed } from '../format.ts';

/** Rows of a figure's own table; the CSV beside it has all. */
const MAX_ROWS = 60;
/** Links of a figure to its sessions; the table of sessions has all. */
const MAX_SESSIONS = 40;

/** How a report leads to sessions: to a log, and to several side by side where a page is served. */
interface SessionLinks {
  readonly linkOf: (session: string) => Inside;
  readonly compareAddress: ((sessions: readonly string[]) => string) | null;
}

/** Every figure with its data and the sessions behind it. */
export function figuresHtml({ figures, undrawn, counts }: ReportModel, links: SessionLinks): Markup {
  const missing =
    undrawn.length === 0
      ? null
      : markup`<p class="caption">
          Not drawn, because these sessions have nothing for them: ${listed(undrawn)}.
        </p>`;
  if (figures.length === 0)
    return markup`<section id="figures">
      <h2>Figures</h2>
      ${missing}
    </section>`;
  return markup`<section id="figures">
    <h2>Figures</h2>
    <p class="caption">
      They describe ${formatCount(counts.used, 'session')}. The only verdicts are those above: the figure of
      paired differences repeats them, no other gives one. Each has its numbers as CSV and names the sessions
      behind it.
    </p>
    <div class="figures">${figures.map((figure) => figureHtml(figure, { used: counts.used, ...links }))}</div>
    ${missing}
  </section>`;
}

function figureHtml(
  { id, title, caption, svg, columns, rows, sessions }: ReportFigure,
  { used, ...links }: SessionLinks & { used: number },
): Markup {
  const table = {
    id: `${id}-table`,
    title: `Data of ${title}`,
    caption: '',
    columns: columns.map((label) => ({ label })),
    rows,
  };
  return markup`<figure id="${id}">
    <figcaption>
      <h3>${title}</h3>
      <p class="caption">${caption}</p>
    </figcaption>
    <div class="picture">${trusted(svg)}</div>
    <div class="behind">
      ${dataLink(id, columns, rows)}
      <details>
        <summary>Table</summary>
        ${bareTable(table, { maxRows: MAX_ROWS })}
      </details>
      ${behind(sessions, { used, ...links })}${sideBySide(sessions, links)}
    </div>
  </figure>`;
}

function behind(
  sessions: readonly string[],
  { used, linkOf }: { used: number; linkOf: (session: string) => Inside },
): Markup {
  if (sessions.length === used) return markup`<a href="#sessions">All ${formatCount(used, 'session')}</a>`;
  const more = sessions.length - MAX_SESSIONS;
  const rest =
    more > 0 ? markup`<li>and ${more} more, in the <a href="#sessions">table of sessions</a></li>` : null;
  return markup`<details>
    <summary>${formatCount(sessions.length, 'session')}</summary>
    <ul class="links">
      ${sessions.slice(0, MAX_SESSIONS).map((id) => markup`<li>${linkOf(id)}</li>`)}${rest}
    </ul>
  </details>`;
}

/** As many as the page's compare view takes. */
const MAX_COMPARED = 20;

function sideBySide(
  sessions: readonly string[],
  { compareAddress }: Pick<SessionLinks, 'compareAddress'>,
): Markup | null {
  if (compareAddress === null || sessions.length === 0) return null;
  const shown = sessions.slice(0, MAX_COMPARED);
  const words = shown.length < sessions.length ? `The first ${MAX_COMPARED} side by side` : 'Side by side';
  return markup`<a href="${compareAddress(shown)}">${words}</a>`;
}
