import { byId } from '../dom.ts';
import type { ShownSession } from '../session/shownSession.ts';
import { formatThrown } from '../messages.ts';
import { failed } from '../../shared/result.ts';
import type { openFiles, OpenedFile } from './openFiles.ts';

interface Options {
  /** The session whose races a dropped NetLog tells. */
  readonly shown: () => ShownSession | null;
  readonly onOpen: (opened: OpenedFile) => void;
  /** Several sessions, or a folder: they open side by side. */
  readonly onMany: (picked: readonly (File | FileSystemEntry)[]) => void;
}

/** Opens files; `onOpened` instead of the usual listener. */
type Take = (files: readonly File[], onOpened?: Options['onOpen']) => Promise<void>;

/**
 * Opens files by button or by dropping them anywhere; a refused file leaves everything as it was. Returns what opens
 * files in the same way.
 */
export function dropZone({ shown, onOpen, onMany }: Options): Take {
  const dialog = byId('drop', HTMLDialogElement);
  const input = byId('file', HTMLInputElement);
  const rejected = byId('rejected', HTMLElement);
  const reading = byId('reading', HTMLElement);
  const open = (): void => {
    rejected.hidden = reading.hidden = true;
    byId('export', HTMLDivElement).hidePopover();
    if (!dialog.open) dialog.showModal();
  };
  const take: Take = async (taken, onOpened = onOpen) => {
    if (taken.length === 0) return;
    open();
    reading.hidden = false;
    reading.textContent = `Reading ${namesOf(taken)}…`;
    const result = await loadAndOpen(taken, shown());
    reading.hidden = true;
    if (!result.ok) return refuse(rejected, result.error);
    dialog.close();
    if (result.value === 'many') onMany(taken);
    else onOpened(result.value);
  };
  byId('open-session', HTMLButtonElement).addEventListener('click', open);
  byId('open-session-short', HTMLButtonElement).addEventListener('click', open);
  byId('choose-file', HTMLButtonElement).addEventListener('click', () => input.click());
  byId('close-drop', HTMLButtonElement).addEventListener('click', () => dialog.close());
  input.addEventListener('change', () => {
    void take([...(input.files ?? [])]).finally(() => (input.value = ''));
  });
  listenForDrops(
    open,
    (dropped) => {
      const entries = [...dropped.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
      if (!entries.some(({ isDirectory }) => isDirectory)) return void take([...dropped.files]);
      dialog.close();
      onMany(entries);
    },
    dialog,
  );
  return take;
}

/** Loads what reads files first. */
const loadAndOpen: typeof openFiles = (files, shown) =>
  import('./openFiles.ts').then(
    (reader) => reader.openFiles(files, shown),
    (fault: unknown) =>
      failed(
        `${namesOf(files)} ${files.length === 1 ? 'was' : 'were'} not opened. What reads files could not be loaded (${formatThrown(fault)}). Nothing was changed.`,
      ),
  );

const namesOf = (files: readonly File[]): string => files.map(({ name }) => name).join(', ');

function refuse(host: HTMLElement, sentence: string): void {
  const [, name, rest] = /^(.+? (?:was|were) not opened\.)(.*)$/s.exec(sentence) ?? [null, '', sentence];
  const bold = document.createElement('b');
  bold.textContent = name ?? '';
  host.replaceChildren(bold, rest ?? sentence);
  host.hidden = false;
}

function listenForDrops(
  open: () => void,
  take: (dropped: DataTransfer) => void,
  dialog: HTMLDialogElement,
): void {
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
  let openedByDrag = false;
  addEventListener('dragenter', (event) => {
    if (!hasFiles(event) || dialog.open) return;
    openedByDrag = true;
    open();
  });
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  addEventListener('dragleave', (event) => {
    // relatedTarget is null when the pointer leaves the window.
    if (openedByDrag && event.relatedTarget === null) dialog.close();
  });
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    openedByDrag = false;
    if (event.dataTransfer) take(event.dataTransfer);
  });
}
