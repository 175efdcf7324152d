import type { CompareElements } from './compareElements.ts';
import type { Picked } from './pickedLogs.ts';

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
