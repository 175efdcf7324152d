import type { ChartPanel } from '../../charts/shell/chartPanel.ts';
import { byId } from '../dom.ts';
import type { ShownSession } from '../session/shownSession.ts';

export interface ExportOptions {
  readonly session: () => ShownSession | null;
  readonly chartPanel: () => ChartPanel | null;
  readonly onFault: (message: string) => void;
}

/**
 * The export menu. Filled when it opens, because sizes and counts grow while it is closed; what fills it and writes the files
 * is loaded then, too.
 */
export function exportMenu(options: ExportOptions): void {
  const menu = byId('export', HTMLDivElement);
  const items = byId('export-items', HTMLDivElement);
  menu.addEventListener('beforetoggle', (event) => {
    if (event.newState !== 'open') return;
    const session = options.session();
    byId('export-empty', HTMLElement).hidden = session !== null;
    items.hidden = session === null;
    if (!session) return;
    import('./exportItems.ts')
      .then(({ showExportItems }) => showExportItems(items, session, options))
      .catch((fault: unknown) => options.onFault(`The export menu could not be loaded: ${String(fault)}`));
  });
}
