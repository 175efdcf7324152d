import { dataLink, bareTable, tableHtml, exploratoryHtml, sessionsHtml } from './tableHtml.ts';
import { markup, trusted, type Inside, type Markup } from './markup.ts';
import { verdictsHtml, verdictTally } from './verdictsHtml.ts';
import { answerOf, formatCounts, type ReportModel } from '../model/reportModel.ts';
import { formatCount } from '../../../src/shared/format.ts';
import { columnNames, listed } from '../reportTable.ts';
import type { ReportFigure } from '../figures/figure.ts';

interface HtmlOptions {
  /** Colours and sizes of the page, then the report's own sheet. */
  readonly styles: string;
  /** Where the log of a session lies, from where the report lies; null where the report does not know. */
  readonly logAddress: ((session: string) => string) | null;
  /** Where a served page shows sessions side by side; null where no page was named. */
  readonly compareAddress?: ((sessions: readonly string[]) => string) | null;
}

/** A report as one HTML file that asks for nothing: no script, no font, no picture from elsewhere. */
export function reportHtml(
  model: ReportModel,
  { styles, logAddress, compareAddress = null }: HtmlOptions,
): string {
  const finished = new Set(model.finished);
  const link = (id: string): Inside =>
    logAddress === null || !finished.has(id) ? id : markup`<a href="${logAddress(id)}">${id}</a>`;
  return markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        />
        <title>${model.campaign.name} · Pitwall report</title>
        <style>
          ${trusted(styles)}
        </style>
      </head>
      <body>
        <a class="skip" href="#verdict">Skip to the verdict</a>
        ${top(model)}
        <main>
          ${opening(model)} ${warnings(model)} ${verdictsHtml(model)} ${design(model)} ${fairness(model)}
          ${exploratoryHtml(model.exploratory)} ${figuresHtml(model, { linkOf: link, compareAddress })} ${tables(model)}
          ${sessionsHtml(model, link)}
        </main>
        <footer>
          Made by Pitwall from ${model.counts.finished} session logs. The same logs give the same report.
        </footer>
      </body>
    </html> `.text;
}

const top = ({ campaign }: ReportModel): Markup =>
  markup`<header class="top">
    <p class="brand">
      <svg width="22" height="16" viewBox="0 0 22 16" aria-hidden="true">
        <path d="M0 2.5h9M4 8h13M0 13.5h6" stroke="var(--ink)" stroke-width="3" />
        <path d="M11 2.5h6M9 13.5h13" stroke="var(--protocol-h3)" stroke-width="3" />
      </svg>
      Pitwall
    </p>
    <p class="name">${campaign.name}</p>
    <nav aria-label="Parts of the report">
      ${PARTS.map(([id, label]) => markup`<a href="#${id}">${label}</a>`)}
    </nav>
  </header>`;

const PARTS = [
  ['verdict', 'Verdict'],
  ['design', 'Design'],
  ['fairness', 'Fairness'],
  ['exploratory', 'Exploratory'],
  ['figures', 'Figures'],
  ['tables', 'Tables'],
  ['sessions', 'Sessions'],
] as const;

/** The answer comes first: what was found, and for what it holds. */
function opening(model: ReportModel): Markup {
  const { claims, more, scope } = answerOf(model);
  const [first, ...others] = claims;
  const rest =
    more === 0 ? null : markup`<li><a href="#verdict">${formatCount(more, 'more verdict')}</a></li>`;
  return markup`<section class="opening">
    <h1>${first}</h1>
    ${
      others.length === 0
        ? null
        : markup`<ul class="claims">
            ${others.map((claim) => markup`<li>${claim}</li>`)} ${rest}
          </ul>`
    }
    <p class="scope">This is about ${scope}. ${formatCounts(model)}</p>
    <p class="tally"><a href="#verdict">Verdicts</a> ${verdictTally(model.verdicts)}</p>
    <p class="about"><b>${model.question}</b> ${model.campaign.about ?? ''}</p>
  </section>`;
}

const warnings = (model: ReportModel): Markup | null =>
  model.warnings.length === 0
    ? null
    : markup`<ul class="warnings" aria-label="Warnings">
        ${model.warnings.map((text) => markup`<li>${SIGN}<span>${text}</span></li>`)}
      </ul>`;

const SIGN = markup`<svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
  <path d="M8 1.8 15 14H1z" fill="none" stroke="var(--warn)" stroke-width="1.5" stroke-linejoin="round" />
  <path d="M8 6v4M8 11.200v1.4" stroke="var(--warn)" stroke-width="1.5" />
</svg>`;

const design = ({ design: facts, registration, ran, tries }: ReportModel): Markup =>
  markup`<section id="design">
    <h2>Design</h2>
    <dl class="facts">
      ${facts.map(
        ({ term, text }) =>
          markup`<div>
            <dt>${term}</dt>
            <dd>${text}</dd>
          </div>`,
      )}
      ${
        registration
          ? markup`<div>
              <dt>Registration</dt>
              <dd>${registration.sentence}</dd>
            </div>`
          : null
      }
    </dl>
    ${tableHtml(ran, { level: 3 })} ${tries ? tableHtml(tries, { level: 3 }) : null}
  </section>`;

const fairness = ({ fairness: { sentence, table }, notes }: ReportModel): Markup =>
  markup`<section id="${table.id}">
    <div class="head">
      <h2>${table.title}</h2>
      ${dataLink(table.id, columnNames(table), table.rows)}
    </div>
    <p class="sentence">${sentence}</p>
    ${notes.length === 0 ? null : markup`<ul class="notes">${notes.map((text) => markup`<li>${text}</li>`)}</ul>`}
    ${bareTable(table)}
    <p class="caption">${table.caption}</p>
  </section>`;

const tables = ({ cells, steering, aa, blocks, thesis, variants = [] }: ReportModel): Markup =>
  markup`<div id="tables">${tableHtml(cells)}${steering ? tableHtml(steering) : null}${aa ? tableHtml(aa) : null}${blocks ? tableHtml(blocks) : null}${thesis.map((table) => tableHtml(table))}${variants.flatMap((variant) => variant.tables).map((table) => tableHtml(table))}</div>`;

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
function figuresHtml({ figures, undrawn, counts }: ReportModel, links: SessionLinks): Markup {
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
