import { formatFinding } from '../../analysis/diagnostics/diagnostics.ts';
import { type Finding, SEVERITIES } from '../../analysis/diagnostics/finding.ts';
import { byId, html, setText, svg } from '../dom.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import { formatClock, formatCount } from '../../shared/format.ts';

/** Diagnostics in words: what happened, what it cost, what to do, and a way to the moment. */
export function diagnosticsPanel(goTo: (atMs: number) => void): View {
  const list = byId('diag', HTMLUListElement);
  const counts = byId('diag-counts', HTMLSpanElement);
  const note = html('li', { class: 'empty-note' });
  const items = new Map<string, Item>();
  let session: ShownSession | null = null;
  const update = (): void => {
    const findings =
      session?.diagnostics.findings(session.growing() ? session.openEvents?.() : undefined) ?? [];
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

/** A shape and a word each, so that no severity depends on colour alone. */
const MARKS: Readonly<Record<Finding['severity'], Parameters<typeof svg>[1]>> = {
  problem: [
    { d: 'M4.7 1h4.6L13 4.7v4.6L9.3 13H4.7L1 9.3V4.7z', class: 'fill' },
    { d: 'M4.8 4.8l4.4 4.4M9.2 4.8L4.8 9.2', class: 'line' },
  ],
  warning: [{ d: 'M7 1.8L13 12.4H1zM7 5.4v3.4M7 10.2v.8', class: 'line' }],
  note: [{ d: 'M7 1.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11zM7 6.4v3.6M7 4v.8', class: 'line' }],
};

/** Draws a severity, with its name for screen readers. */
export function markOf(severity: Finding['severity']): SVGSVGElement {
  const label = `${severity[0]!.toUpperCase()}${severity.slice(1)}`;
  const mark = svg({ width: 14, height: 14, label }, MARKS[severity]);
  mark.classList.add(`mark-${severity}`);
  return mark;
}

/** "1 problem, 2 warnings"; "" when there is nothing. */
export function severityCounts(findings: readonly Pick<Finding, 'severity'>[]): string {
  return SEVERITIES.map((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length;
    return count === 0 ? '' : formatCount(count, severity);
  })
    .filter((part) => part !== '')
    .join(', ');
}
