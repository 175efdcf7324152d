import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { decisionPick } from '../picks.ts';
import type { LaneView } from './laneView.ts';
import type { PanelActions } from './panelActions.ts';
import { listenToKeys } from './panelKeys.ts';
import type { PanelModel } from './panelModel.ts';
import { listenToPointer } from './panelPointer.ts';
import type { PanelScreen } from './panelScreen.ts';

export interface PersonParts {
  readonly host: HTMLElement;
  readonly lanes: readonly LaneView[];
  readonly screen: PanelScreen;
  readonly model: PanelModel;
  readonly series: SessionSeries;
  readonly actions: PanelActions;
}

const MIN_PAGE_MS = 10_000;

/** Turns pointer and keys into actions. Returns the disposer. */
export function listenToPerson(parts: PersonParts): () => void {
  const stops = [byPointer(parts), byKeys(parts)];
  return () => {
    for (const stop of stops) stop();
  };
}

function byPointer({ lanes, screen, model, series, actions }: PersonParts): () => void {
  return listenToPointer(
    screen.body,
    { lanes, axis: screen.axis },
    {
      msAt: (clientX) => screen.msAt(clientX, model.range()),
      onHover: actions.hover,
      onPin: actions.pin,
      onClick(atMs, lane, clientY) {
        const { fromMs, toMs } = model.range();
        const msPerPx = (toMs - fromMs) / Math.max(1, screen.widthPx());
        actions.pin(atMs);
        actions.pick(lane?.pickAt(series, { atMs, msPerPx, clientY }) ?? decisionPick(series, atMs));
      },
      onSelecting: (fromMs, toMs) => screen.select({ fromMs, toMs }, model.range()),
      onSelected: (fromMs, toMs) => actions.show({ fromMs, toMs }),
      onCancel: () => screen.select(null, model.range()),
    },
  );
}

function byKeys({ host, screen, model, actions }: PersonParts): () => void {
  return listenToKeys(host, screen.axis, {
    onMove: (byMs) => actions.pin(actions.hereMs() + byMs),
    onEdge(edge) {
      const { fromMs, toMs } = model.range();
      actions.pin(edge === 'from' ? fromMs : Math.min(toMs, model.endMs()));
    },
    onEnter: actions.pickRequest,
    onRelease: () => actions.pin(null),
    onStep: actions.stepDecision,
    pageMs() {
      const { fromMs, toMs } = model.range();
      return Math.max(MIN_PAGE_MS, (toMs - fromMs) / 10);
    },
  });
}
