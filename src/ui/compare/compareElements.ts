import { element } from '../dom.ts';
import type { Picked } from './logSources.ts';

/** The compare view before anything is opened. Every part has its place from the start. */
export type CompareElements = ReturnType<typeof compareElements>;

export function compareElements() {
  const bar = barElements();
  const progress = element('progress', { max: 1, value: 0, 'aria-label': 'Logs read' });
  const progressText = element('span', { role: 'status' });
  const reading = element('div', { class: 'compare-reading', hidden: true }, progress, progressText);
  const notices = element('ul', { class: 'compare-notices', role: 'alert' });
  const empty = emptyNote();
  const shown = shownElements();
  const announce = element('p', { class: 'sr', role: 'status', 'aria-live': 'polite' });
  const main = element(
    'main',
    { class: 'compare', hidden: true },
    ...[bar.element, reading, notices, empty, shown.element, announce],
  );
  return {
    ...{ main, reading, progress, progressText, notices, empty, announce },
    ...{ ...bar, ...shown, shown: shown.element },
  };
}

function barElements() {
  const title = element('h1', {}, 'Compare sessions');
  const playback = toggle('playback time');
  const wall = toggle('wall time');
  const copy = element('button', { type: 'button', class: 'btn' }, 'Copy link');
  const open = element('button', { type: 'button', class: 'btn' }, 'Open logs…');
  const folder = element('button', { type: 'button', class: 'btn' }, 'Open a folder…');
  const files = picker('compare-files', 'Session logs', { multiple: true, accept: 'application/json,.json' });
  const folderFiles = picker('compare-folder', 'Folder of a campaign', { webkitdirectory: true });
  const made = element(
    'div',
    { class: 'cbar' },
    title,
    alignGroup(playback, wall),
    element('div', { class: 'compare-acts' }, copy, open, folder),
    ...[files, folderFiles],
  );
  return { element: made, title, playback, wall, copy, open, folder, files, folderFiles };
}

function shownElements() {
  const chips = element('ul', { class: 'chips', 'aria-label': 'Sessions' });
  const conditions = element('p', { class: 'fair' });
  const panelHost = element('section', { class: 'stack', 'aria-label': 'Sessions on one time axis' });
  const tables = element('div', { class: 'compare-tables' });
  const charts = element('div', { class: 'cmain' }, panelHost, keysNote());
  const made = element(
    'div',
    { class: 'compare-shown', hidden: true },
    ...[chips, conditions, element('div', { class: 'compare-panel' }, charts, tables)],
  );
  return { element: made, chips, conditions, panelHost, tables };
}

const toggle = (text: string): HTMLButtonElement =>
  element('button', { type: 'button', 'aria-pressed': 'false' }, text);

const picker = (id: string, label: string, attributes: Record<string, string | true>): HTMLInputElement =>
  element('input', { type: 'file', hidden: true, id, 'aria-label': label, ...attributes });

const alignGroup = (...toggles: HTMLElement[]): HTMLElement =>
  element(
    'div',
    { class: 'labelled' },
    element('span', { id: 'align-label' }, 'Align by'),
    element('div', { class: 'seg', role: 'group', 'aria-labelledby': 'align-label' }, ...toggles),
  );

const emptyNote = (): HTMLElement =>
  element(
    'section',
    { class: 'compare-empty', 'aria-label': 'What this view shows' },
    element('h2', {}, 'Two to twenty sessions on one time axis'),
    element(
      'p',
      {},
      'Drop session logs here, or the folder of a campaign. They are read in this page; nothing is uploaded. By address: add ?log=… for each log to the address of this page.',
    ),
    element('p', { class: 'muted' }, 'On the command line: pitwall open FOLDER'),
  );

const keysNote = (): HTMLElement =>
  element(
    'p',
    { class: 'compare-keys' },
    'Wheel or two fingers: zoom. Drag: show that range. Shift and drag: move. With the charts focused: + − zoom, 0 shows all, < and > move, arrows move the crosshair, [ and ] go to the next difference of decisions.',
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
