import { decisionPick } from '../../charts/picks.ts';
import type { ChartPanel, PanelCursor, PanelPick } from '../../charts/shell/chartPanel.ts';
import { byId, html, setText, setTo, svg } from '../dom.ts';
import type { SessionViews, ShownSession, View } from '../session/shownSession.ts';
import { formatClock } from '../../shared/format.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';

export interface SidePanel extends View {
  /** The crosshair moved: the decision of that moment is shown, the newest when it rests. */
  cursor(cursor: PanelCursor): void;
  /** A request or decision was picked in a lane. */
  pick(pick: PanelPick): void;
}

/** "Decision": the sentence, inputs, ladder and votes of one moment; or one request, when one was picked. */
export function sidePanel(
  chartPanel: () => ChartPanel | null,
  loadViews: () => Promise<Pick<SessionViews, 'viewOf'>>,
): SidePanel {
  const head = headOf(chartPanel);
  const body = panelBody(loadViews);
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
  const title = html('h2', {}, 'Decision');
  const arrow = (label: string, d: string): HTMLButtonElement =>
    html(
      'button',
      { type: 'button', class: 'btn quiet icon', 'aria-label': label, title: label },
      svg({ width: 9, height: 9 }, [{ d, class: 'stroke' }]),
    );
  const before = arrow('Previous decision', 'M6.5 1 2.5 4.5 6.5 8');
  const after = arrow('Next decision', 'M2.5 1 6.5 4.5 2.5 8');
  const follow = html(
    'button',
    { type: 'button', class: 'btn quiet', 'aria-pressed': 'true' },
    'Follow live',
  );
  before.addEventListener('click', () => chartPanel()?.stepDecision(-1));
  after.addEventListener('click', () => chartPanel()?.stepDecision(1));
  follow.addEventListener('click', () => chartPanel()?.setCursor(null));
  return {
    root: html('div', { class: 'panel-head' }, title, before, after, follow),
    write({ target, following, session }: HeadState) {
      const decides = !session?.series.scene.isTransfer;
      const word = target?.kind === 'request' || !decides ? 'Request' : 'Decision';
      setText(title, target ? `${word} at ${formatClock(target.atMs)}` : word);
      setTo(follow, 'ariaPressed', String(following));
      for (const button of [before, after, follow]) setTo(button, 'hidden', session === null || !decides);
      setText(follow, session?.growing() === false ? 'To the end' : 'Follow live');
    },
  };
}

/** The event that the side panel is about. */
type Target = PanelPick;

/** Loads a full event and draws it, once: again only when more of it is known (its request came to an end). */
function panelBody(loadViews: () => Promise<Pick<SessionViews, 'viewOf'>>): {
  readonly root: HTMLElement;
  show(session: ShownSession | null, target: Target | null): void;
} {
  const root = html('div', { class: 'decision-body' });
  let wanted: { session: ShownSession; target: Target } | null = null;
  let drawn: { session: ShownSession; id: string; parts: number } | null = null;

  const draw = async (session: ShownSession, target: Target): Promise<void> => {
    const event = await session.event(target.id);
    const request = await requestOf(event, session);
    const { viewOf } = await loadViews();
    const parts = partsIn(event, request);
    if (isOvertaken(session, target) || (sameAs(session, target) && drawn?.parts === parts)) return;
    drawn = { session, id: target.id, parts };
    const open = new Set([...root.querySelectorAll('details[open]')].map(({ className }) => className));
    root.replaceChildren(...viewOf(event, request, session.series));
    for (const details of root.querySelectorAll('details')) details.open = open.has(details.className);
  };
  const isOvertaken = (session: ShownSession, { id }: Target): boolean =>
    wanted?.session !== session || wanted.target.id !== id;
  const sameAs = (session: ShownSession, { id }: Target): boolean =>
    drawn?.session === session && drawn.id === id;
  return {
    root,
    show(session, target) {
      wanted = session && target && { session, target };
      if (!wanted) {
        drawn = null;
        const note = emptyNote(session);
        if (root.textContent !== note.textContent) root.replaceChildren(note);
      } else if (!sameAs(wanted.session, wanted.target) || drawn?.parts !== COMPLETE) {
        void draw(wanted.session, wanted.target);
      }
    },
  };
}

async function requestOf(event: SessionEvent | null, session: ShownSession): Promise<SessionEvent | null> {
  return event?.kind === 'decision' && event.requestId !== null ? await session.event(event.requestId) : null;
}

const COMPLETE = 2;

/** 0: not finished, 1: a decision whose request is on its way, 2: nothing more will come. */
function partsIn(event: SessionEvent | null, request: SessionEvent | null): number {
  if (!event) return 0;
  return event.kind === 'decision' && event.requestId !== null && !request ? 1 : COMPLETE;
}

function emptyNote(session: ShownSession | null): HTMLElement {
  return html('p', { class: 'empty-note' }, noteOf(session));
}

function noteOf(session: ShownSession | null): string {
  if (!session) return 'Before each segment the rule chooses a level: here are its reason, input and votes.';
  if (session.series.scene.isTransfer)
    return 'Files were downloaded, nothing was played. Click a request to see its phases.';
  return 'No decision yet: the rule decides before the first media segment.';
}
