import type { ChartPanel } from '../../charts/shell/chartPanel.ts';
import { har } from '../../export/har.ts';
import { fillSessionPage, SESSION_PAGE } from '../../export/sessionPage.ts';
import { formatSize } from '../../shared/format.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { byId, html } from '../dom.ts';
import type { ShownSession } from '../session/shownSession.ts';
import { download } from './download.ts';
import type { ExportOptions } from './exportMenu.ts';

interface Item {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  /** What stands at the right: format and how much. */
  readonly amount: () => string;
  readonly file: () => Promise<{ file: Blob; name: string } | null>;
}

/** Shows what can be exported of a session, as it is now. */
export function showExportItems(items: HTMLElement, session: ShownSession, options: ExportOptions): void {
  const chartPanel = options.chartPanel();
  const files = fileItems(session).map((item) => buttonOf(item, options));
  const pictures = chartPanel ? pictureItems(session, chartPanel).map((item) => buttonOf(item, options)) : [];
  items.replaceChildren(
    ...files,
    html('hr'),
    ...pictures,
    ...(chartPanel ? [laneChoice(session, chartPanel, options)] : []),
  );
  void sizeOf(session, items);
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
      id: 'export-page',
      name: 'Session as one page',
      about: 'Charts, figures and the log in one file. Opens from the disk, without a network.',
      amount: () => 'HTML',
      file: async () => ({ file: await pageFile(session), name: name('.html') }),
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

function buttonOf({ id, name, about, amount, file }: Item, { onFault }: ExportOptions): HTMLButtonElement {
  const right = html('i', {}, amount());
  const made = html('button', { type: 'button', id }, html('b', {}, name), right, html('small', {}, about));
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

function laneChoice(session: ShownSession, chartPanel: ChartPanel, options: ExportOptions): HTMLElement {
  const buttons = chartPanel.lanes().map(({ id, title }) => {
    const made = html('button', { type: 'button', class: 'lane-png', id: `export-lane-${id}` }, title);
    made.addEventListener('click', () => {
      chartPanel
        .png(id)
        .then((file) => download(file, `pitwall-${session.header().id}-${id}.png`))
        .catch((fault: unknown) => options.onFault(`The picture could not be made: ${String(fault)}`));
    });
    return made;
  });
  return html('div', { class: 'lane-pngs' }, html('span', {}, 'or one lane:'), ...buttons);
}

/** The session's requests as HAR 1.2. */
async function harFile(session: ShownSession): Promise<Blob> {
  const file = await session.file('session');
  const made = har.convert(JSON.parse(await file.text()) as SessionLog, { screen: '', fps: null });
  if (!made.ok) throw new Error(made.error);
  return new Blob([made.value.text], { type: 'application/json' });
}

/** The session in the page that the build made for one. */
async function pageFile(session: ShownSession): Promise<Blob> {
  const response = await fetch(SESSION_PAGE);
  if (!response.ok) throw new Error(`the server answered ${response.status} for ${SESSION_PAGE}`);
  const log = (await session.file('session')).stream().pipeThrough(new CompressionStream('gzip'));
  const page = fillSessionPage(await response.text(), await base64Of(await new Response(log).blob()));
  return new Blob([page], { type: 'text/html' });
}

function base64Of(blob: Blob): Promise<string> {
  const reader = new FileReader();
  reader.readAsDataURL(blob);
  return new Promise((resolve, reject) => {
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('the log could not be read'));
  });
}

/** Every lane of the chart panel in one picture, one below the other, on the page's own ground. */
async function lanesPicture(chartPanel: ChartPanel): Promise<Blob> {
  const pictures: ImageBitmap[] = [];
  for (const { id } of chartPanel.lanes()) pictures.push(await createImageBitmap(await chartPanel.png(id)));
  const width = Math.max(1, ...pictures.map((each) => each.width));
  const height = Math.max(
    1,
    pictures.reduce((sum, each) => sum + each.height, 0),
  );
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('this browser gives no 2D canvas of this size');
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--surface');
  context.fillRect(0, 0, width, height);
  let top = 0;
  for (const picture of pictures) {
    context.drawImage(picture, 0, top);
    top += picture.height;
    picture.close();
  }
  return await new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))),
      'image/png',
    ),
  );
}
