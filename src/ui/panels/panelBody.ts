import type { PanelPick } from '../../charts/shell/chartPanel.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { element } from '../element.ts';
import type { ShownSession } from '../session/shownSession.ts';
import { decisionView } from './decisionView.ts';
import { requestView } from './requestView.ts';

/** The event that the side panel is about. */
export type Target = PanelPick;

/** Loads a full event and draws it, once: again only when more of it is known (its request came to an end). */
export function panelBody(): {
  readonly root: HTMLElement;
  show(session: ShownSession | null, target: Target | null): void;
} {
  const root = element('div', { class: 'decision-body' });
  let wanted: { session: ShownSession; target: Target } | null = null;
  let drawn: { session: ShownSession; id: string; parts: number } | null = null;

  const draw = async (session: ShownSession, target: Target): Promise<void> => {
    const event = await session.event(target.id);
    const request = await requestOf(event, session);
    const parts = partsIn(event, request);
    if (isOvertaken(session, target) || (sameAs(session, target) && drawn?.parts === parts)) return;
    drawn = { session, id: target.id, parts };
    const open = new Set([...root.querySelectorAll('details[open]')].map(({ className }) => className));
    root.replaceChildren(...viewOf(event, request, session));
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
        const note = emptyNote(session !== null);
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

function viewOf(
  event: SessionEvent | null,
  request: SessionEvent | null,
  { series }: ShownSession,
): readonly HTMLElement[] {
  if (event?.kind === 'request') return requestView(event);
  if (event?.kind !== 'decision') return [element('p', { class: 'empty-note' }, 'Still in flight.')];
  return decisionView(event, request?.kind === 'request' ? request : null, series);
}

function emptyNote(recording: boolean): HTMLElement {
  const text = recording
    ? 'No decision yet: the rule decides before the first media segment.'
    : 'Before each segment the rule chooses a rung. This panel shows its reason, its input and every vote.';
  return element('p', { class: 'empty-note' }, text);
}
