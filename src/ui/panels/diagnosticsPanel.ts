import { formatFinding } from '../../analysis/diagnostics/diagnostics.ts';
import type { Finding } from '../../analysis/diagnostics/finding.ts';
import { byId, html, setText } from '../dom.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import { formatClock } from '../../shared/format.ts';
import { markOf, severityCounts } from './severity.ts';

/** Diagnostics in words: what happened, what it cost, what to do, and a way to the moment. */
export function diagnosticsPanel(goTo: (atMs: number) => void): View {
  const list = byId('diag', HTMLUListElement);
  const counts = byId('diag-counts', HTMLSpanElement);
  const note = html('li', { class: 'empty-note' });
  const items = new Map<string, Item>();
  let session: ShownSession | null = null;
  const update = (): void => {
    const findings =
      session?.diagnostics()?.findings(session.growing() ? session.openEvents?.() : undefined) ?? [];
    const reported = findings.map((finding) => {
      const key = `${finding.severity} ${finding.id}`;
      const item = items.get(key) ?? itemOf(finding.severity, goTo);
      items.set(key, item);
      item.write(finding, session?.growing() ?? false);
      return item.root;
    });
    setText(note, session ? NOTHING : ABOUT);
    place(list, reported.length > 0 ? reported : [note]);
    setText(counts, severityCounts(findings));
  };
  update();
  return {
    show(next) {
      session = next;
      items.clear();
      update();
    },
    update,
  };
}

const NOTHING = 'Nothing to report so far.';
const ABOUT = 'This list explains faults: what happened, its effect, what to do.';

/** Puts the items in order without touching a list that is: a focused link keeps its focus. */
function place(list: HTMLElement, items: readonly HTMLElement[]): void {
  const same = list.children.length === items.length && items.every((item, at) => list.children[at] === item);
  if (same) return;
  const focused = list.contains(document.activeElement) ? document.activeElement : null;
  list.replaceChildren(...items);
  if (focused instanceof HTMLElement && list.contains(focused)) focused.focus({ preventScroll: true });
}

interface Item {
  readonly root: HTMLElement;
  write(finding: Finding, growing: boolean): void;
}

function itemOf(severity: Finding['severity'], goTo: (atMs: number) => void): Item {
  const now = html('b', { class: 'now' }, 'Now: ');
  const text = html('span');
  const link = html('button', { type: 'button' });
  let targetMs = 0;
  link.addEventListener('click', () => goTo(targetMs));
  return {
    root: html('li', {}, markOf(severity), html('p', {}, now, text, ' ', link)),
    write(finding, growing) {
      now.hidden = !(growing && finding.isCurrent);
      setText(text, formatFinding(finding));
      link.hidden = finding.atMs === null;
      targetMs = finding.atMs ?? 0;
      setText(link, `Go to ${formatClock(targetMs)}`);
    },
  };
}
