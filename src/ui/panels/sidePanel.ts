import { decisionPick } from '../../charts/picks.ts';
import type { ChartPanel, PanelCursor, PanelPick } from '../../charts/shell/chartPanel.ts';
import { byId } from '../byId.ts';
import { element } from '../element.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import { setText } from '../setText.ts';
import { setTo } from '../setTo.ts';
import { vector } from '../vector.ts';
import { panelBody, type Target } from './panelBody.ts';
import { formatClock } from '../../shared/format.ts';

export interface SidePanel extends View {
  /** The crosshair moved: the decision of that moment is shown, the newest when it rests. */
  cursor(cursor: PanelCursor): void;
  /** A request or decision was picked in a lane. */
  pick(pick: PanelPick): void;
}

/** "Decision": the sentence, inputs, ladder and votes of one moment; or one request, when one was picked. */
export function sidePanel(chartPanel: () => ChartPanel | null): SidePanel {
  const head = headOf(chartPanel);
  const body = panelBody();
  byId('decision', HTMLElement).replaceChildren(head.root, body.root);
  let session: ShownSession | null = null;
  let atMs: number | null = null;
  let picked: Target | null = null;

  const target = (): Target | null => {
    if (!session || picked) return picked;
    return decisionPick(session.series, atMs ?? session.series.lastMs);
  };
  const update = (): void => {
    const now = target();
    head.write({ target: now, following: atMs === null && picked === null, session });
    body.show(session, now);
  };
  update();
  return {
    show(next) {
      session = next;
      atMs = picked = null;
      update();
    },
    update,
    cursor(cursor) {
      atMs = cursor.atMs;
      if (picked && cursor.atMs !== picked.atMs) picked = null;
      update();
    },
    pick(pick) {
      picked = pick;
      atMs = pick.atMs;
      update();
    },
  };
}

interface HeadState {
  readonly target: Target | null;
  readonly following: boolean;
  readonly session: ShownSession | null;
}

function headOf(chartPanel: () => ChartPanel | null) {
  const title = element('h2', {}, 'Decision');
  const arrow = (label: string, d: string): HTMLButtonElement =>
    element(
      'button',
      { type: 'button', class: 'btn quiet icon', 'aria-label': label, title: label },
      vector({ width: 9, height: 9, paths: [[d, 'stroke']] }),
    );
  const before = arrow('Previous decision', 'M6.5 1 2.5 4.5 6.5 8');
  const after = arrow('Next decision', 'M2.5 1 6.5 4.5 2.5 8');
  const follow = element(
    'button',
    { type: 'button', class: 'btn quiet', 'aria-pressed': 'true' },
    'Follow live',
  );
  before.addEventListener('click', () => chartPanel()?.stepDecision(-1));
  after.addEventListener('click', () => chartPanel()?.stepDecision(1));
  follow.addEventListener('click', () => chartPanel()?.setCursor(null));
  return {
    root: element('div', { class: 'panel-head' }, title, before, after, follow),
    write({ target, following, session }: HeadState) {
      const word = target?.kind === 'request' ? 'Request' : 'Decision';
      setText(title, target ? `${word} at ${formatClock(target.atMs)}` : 'Decision');
      setTo(follow, 'ariaPressed', String(following));
      for (const button of [before, after, follow]) setTo(button, 'hidden', session === null);
      setText(follow, session?.growing() === false ? 'To the end' : 'Follow live');
    },
  };
}
