import { byId, setTo } from '../dom.ts';
import { comparePage, type ComparePage } from './comparePage.ts';
import { isCompareLink } from '../setup/sharedLink.ts';
import { readCompareLink } from './compareLink.ts';
import { fetchLinkedSources, type Picked } from './logSources.ts';
import styles from './compare.css?url';

export interface CompareRequest {
  /** What was dropped or picked in the live view. */
  readonly picked?: readonly Picked[];
  /** Shows the live view again. Absent where the page was opened as this view: then it is loaded anew. */
  readonly onLive?: () => void;
}

let page: Promise<ComparePage> | null = null;

/** Shows the compare view in place of the live one, with what was picked, or with what the page's address names. */
export async function openCompare({ picked = [], onLive }: CompareRequest = {}): Promise<void> {
  const live = document.querySelector<HTMLElement>('main:not(.compare)')!;
  page ??= styled().then(() => comparePage(live));
  const shown = await page;
  const link = byId('view-live', HTMLAnchorElement);
  if (onLive) {
    const { href } = location;
    link.onclick = (event) => {
      event.preventDefault();
      show(live, shown.element, 'live');
      shown.rest();
      history.replaceState(null, '', href);
      onLive();
    };
  }
  show(shown.element, live, 'compare');
  if (picked.length > 0) return shown.addPicked(picked);
  if (onLive || !isCompareLink(location.search)) return;
  const asked = readCompareLink(location.search);
  const { sources, faults } = await fetchLinkedSources(asked, location.href);
  await shown.open({ sources, faults, link: asked });
}

function show(seen: HTMLElement, hidden: HTMLElement, view: 'live' | 'compare'): void {
  hidden.hidden = true;
  seen.hidden = false;
  setTo(document.body.dataset, 'view', view);
  for (const each of ['live', 'compare'] as const) {
    const link = byId(`view-${each}`, HTMLAnchorElement);
    if (each === view) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  if (view === 'compare') document.title = 'Compare · Pitwall';
}

/** The view's own sheet: it is not in the page's, which every visitor loads. */
function styled(): Promise<void> {
  const sheet = document.createElement('link');
  sheet.rel = 'stylesheet';
  sheet.href = styles;
  return new Promise((resolve, reject) => {
    sheet.onload = () => resolve();
    sheet.onerror = () => reject(new Error('The styles of the compare view could not be loaded.'));
    document.head.append(sheet);
  });
}
