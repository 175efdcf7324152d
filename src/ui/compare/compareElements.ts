import { html } from '../dom.ts';
import type { Picked } from './logSources.ts';

/** The compare view before anything is opened. Every part has its place from the start. */
export type CompareElements = ReturnType<typeof compareElements>;

export function compareElements() {
  const bar = barElements();
  const progress = html('progress', { max: 1, value: 0, 'aria-label': 'Logs read' });
  const progressText = html('span', { role: 'status' });
  const reading = html('div', { class: 'compare-reading', hidden: true }, progress, progressText);
  const notices = html('ul', { class: 'compare-notices' });
  const empty = emptyNote();
  const shown = shownElements();
  const announce = html('p', { class: 'sr', role: 'status', 'aria-live': 'polite' });
  const main = html(
    'main',
    { class: 'compare', hidden: true },
    ...[bar.element, reading, html('div', { role: 'alert' }, notices), empty, shown.element, announce],
  );
  return {
    main,
    reading,
    progress,
    progressText,
    notices,
    empty,
    announce,
    ...bar,
    ...shown,
    shown: shown.element,
  };
}

function barElements() {
  const title = html('h1', {}, 'Compare sessions');
  const arms = toggle('arms');
  const single = toggle('sessions');
  const views = toggleGroup('view', 'Show', [arms, single]);
  const playback = toggle('playback time');
  const wall = toggle('wall time');
  const copy = html('button', { type: 'button', class: 'btn' }, 'Copy link');
  const open = html('button', { type: 'button', class: 'btn' }, 'Open logs…');
  const folder = html('button', { type: 'button', class: 'btn' }, 'Open a folder…');
  const files = picker('compare-files', 'Session logs', { multiple: true, accept: 'application/json,.json' });
  const folderFiles = picker('compare-folder', 'Folder of a campaign', { webkitdirectory: true });
  const made = html(
    'div',
    { class: 'cbar' },
    title,
    html('div', { class: 'compare-toggles' }, views, toggleGroup('align', 'Align by', [playback, wall])),
    html('div', { class: 'compare-acts' }, copy, open, folder),
    ...[files, folderFiles],
  );
  return {
    ...{ element: made, title, views, arms, single, playback, wall },
    ...{ copy, open, folder, files, folderFiles },
  };
}

function shownElements() {
  const chips = html('ul', { class: 'chips', 'aria-label': 'Sessions' });
  const conditions = html('p', { class: 'fair' });
  const panelHost = html('section', { class: 'stack', 'aria-label': 'Sessions on one time axis' });
  const figures = html('div', { class: 'compare-tables compare-arms' });
  const tables = html('div', { class: 'compare-tables' });
  const charts = html('div', { class: 'cmain' }, panelHost, keysNote());
  const made = html(
    'div',
    { class: 'compare-shown', hidden: true },
    ...[chips, conditions, html('div', { class: 'compare-panel' }, figures, charts, tables)],
  );
  return { element: made, chips, conditions, panelHost, figures, tables };
}

const toggle = (text: string): HTMLButtonElement =>
  html('button', { type: 'button', 'aria-pressed': 'false' }, text);

const picker = (id: string, label: string, attributes: Record<string, string | true>): HTMLInputElement =>
  html('input', { type: 'file', hidden: true, id, 'aria-label': label, ...attributes });

const toggleGroup = (id: string, label: string, toggles: readonly HTMLElement[]): HTMLElement =>
  html(
    'div',
    { class: 'labelled' },
    html('span', { id: `${id}-label` }, label),
    html('div', { class: 'seg', role: 'group', 'aria-labelledby': `${id}-label` }, ...toggles),
  );

const emptyNote = (): HTMLElement =>
  html(
    'section',
    { class: 'compare-empty', 'aria-label': 'What this view shows' },
    html('h2', {}, 'Sessions on one time axis'),
    html(
      'p',
      {},
      'Drop session logs or a campaign folder here. Nothing is uploaded. By address: add ?log=… for each log.',
    ),
    html('p', { class: 'muted' }, 'On the command line: pitwall open FOLDER'),
  );

const keysNote = (): HTMLElement =>
  html(
    'p',
    { class: 'compare-keys' },
    'Wheel or two fingers: zoom. Drag: show that range. Shift and drag: move. Keys in the charts: + − zoom, 0 shows all, < > move, arrows move the crosshair',
    html('span', {}, ', [ ] go to the next difference of decisions'),
    '.',
  );

/** Files and folders by button, and by dropping them anywhere while this view is on show. */
export function listenToPicks(
  { main, open, folder, files, folderFiles }: CompareElements,
  onPicked: (picked: readonly Picked[]) => void,
): void {
  open.addEventListener('click', () => files.click());
  folder.addEventListener('click', () => folderFiles.click());
  for (const input of [files, folderFiles])
    input.addEventListener('change', () => {
      const picked = [...(input.files ?? [])];
      input.value = '';
      if (picked.length > 0) onPicked(picked);
    });
  const isOurs = (event: DragEvent): boolean =>
    !main.hidden && (event.dataTransfer?.types.includes('Files') ?? false);
  // Before the live view's own listeners, which would open a dropped file there.
  const listen = (
    kind: 'dragenter' | 'dragover' | 'dragleave' | 'drop',
    act: (event: DragEvent) => void,
  ): void =>
    addEventListener(
      kind,
      (event) => {
        if (!isOurs(event)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        act(event);
      },
      { capture: true },
    );
  listen('dragenter', () => main.classList.add('dragged'));
  listen('dragover', () => {});
  listen('dragleave', (event) => {
    if (event.relatedTarget === null) main.classList.remove('dragged');
  });
  listen('drop', (event) => {
    main.classList.remove('dragged');
    const picked = [...(event.dataTransfer?.items ?? [])].flatMap(
      (item) => item.webkitGetAsEntry() ?? item.getAsFile() ?? [],
    );
    if (picked.length > 0) onPicked(picked);
  });
}
