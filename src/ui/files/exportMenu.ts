import type { ChartPanel } from '../../charts/shell/chartPanel.ts';
import { byId } from '../byId.ts';
import { element } from '../element.ts';
import type { ShownSession } from '../session/shownSession.ts';
import { download } from './download.ts';
import { harFile } from './harFile.ts';
import { lanesPicture } from './lanesPicture.ts';
import { formatSize } from '../../shared/format.ts';

interface Options {
  readonly session: () => ShownSession | null;
  readonly chartPanel: () => ChartPanel | null;
  readonly onFault: (message: string) => void;
}

interface Item {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** What stands at the right: format and how much. */
  readonly amount: () => string;
  readonly file: () => Promise<{ file: Blob; name: string } | null>;
}

/** The export menu. Filled when it opens, because sizes and counts grow while it is closed. */
export function exportMenu(options: Options): void {
  const menu = byId('export', HTMLDivElement);
  const items = byId('export-items', HTMLDivElement);
  menu.addEventListener('beforetoggle', (event) => {
    if (event.newState !== 'open') return;
    const session = options.session();
    byId('export-empty', HTMLElement).hidden = session !== null;
    items.hidden = session === null;
    if (!session) return;
    const chartPanel = options.chartPanel();
    const files = fileItems(session).map((item) => buttonOf(item, options));
    const pictures = chartPanel
      ? pictureItems(session, chartPanel).map((item) => buttonOf(item, options))
      : [];
    items.replaceChildren(
      ...files,
      element('hr'),
      ...pictures,
      ...(chartPanel ? [laneChoice(session, chartPanel, options)] : []),
    );
    void sizeOf(session, items);
  });
}

/** Small logs are measured by writing them once; a big one is not, because that costs seconds. */
async function sizeOf(session: ShownSession, items: HTMLElement): Promise<void> {
  if (session.series.ids.length > 5000) return;
  const { size } = await session.file('session');
  const amount = items.querySelector('#export-session i');
  if (amount) amount.textContent = `JSON, ${formatSize(size)}`;
}

function fileItems(session: ShownSession): readonly Item[] {
  const { requests, decisions } = session.series;
  const name = (suffix: string): string => `pitwall-${session.header().id}${suffix}`;
  return [
    {
      id: 'export-session',
      name: 'Session',
      about: 'Everything recorded. Opens again here and on the command line.',
      amount: () => 'JSON',
      file: async () => ({ file: await session.file('session'), name: name('.json') }),
    },
    {
      id: 'export-requests',
      name: 'Requests',
      about: 'One row per request: phases, sizes, protocol, a reason for each unknown.',
      amount: () => `CSV, ${requests.length} rows`,
      file: async () => ({ file: await session.file('request'), name: name('-requests.csv') }),
    },
    {
      id: 'export-har',
      name: 'HAR',
      about: 'The requests with their races, for DevTools.',
      amount: () => 'HAR 1.2',
      file: async () => ({ file: await harFile(session), name: name('.har') }),
    },
    {
      id: 'export-decisions',
      name: 'Decisions',
      about: 'Inputs, every vote, choice and its sentence.',
      amount: () => `CSV, ${decisions.length} rows`,
      file: async () => ({ file: await session.file('decision'), name: name('-decisions.csv') }),
    },
  ];
}

function pictureItems(session: ShownSession, chartPanel: ChartPanel): readonly Item[] {
  return [
    {
      id: 'export-lanes',
      name: 'Picture of the lanes',
      about: 'Every lane as shown, one below the other.',
      amount: () => 'PNG, 2×',
      file: async () => ({
        file: await lanesPicture(chartPanel),
        name: `pitwall-${session.header().id}-lanes.png`,
      }),
    },
  ];
}

function buttonOf({ id, name, about, amount, file }: Item, { onFault }: Options): HTMLButtonElement {
  const right = element('i', {}, amount());
  const made = element(
    'button',
    { type: 'button', id },
    element('b', {}, name),
    right,
    element('small', {}, about),
  );
  made.addEventListener('click', () => {
    made.disabled = true;
    right.textContent = 'writing…';
    file()
      .then((written) => {
        if (written) download(written.file, written.name);
        byId('export', HTMLDivElement).hidePopover();
      })
      .catch((fault: unknown) => onFault(`${name} could not be written: ${String(fault)}`))
      .finally(() => {
        made.disabled = false;
        right.textContent = amount();
      });
  });
  return made;
}

function laneChoice(session: ShownSession, chartPanel: ChartPanel, options: Options): HTMLElement {
  const buttons = chartPanel.lanes().map(({ id, title }) => {
    const made = element('button', { type: 'button', class: 'lane-png', id: `export-lane-${id}` }, title);
    made.addEventListener('click', () => {
      chartPanel
        .png(id)
        .then((file) => download(file, `pitwall-${session.header().id}-${id}.png`))
        .catch((fault: unknown) => options.onFault(`The picture could not be made: ${String(fault)}`));
    });
    return made;
  });
  return element('div', { class: 'lane-pngs' }, element('span', {}, 'or one lane:'), ...buttons);
}
