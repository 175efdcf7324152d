import type { Wall, WallOptions } from '../../charts/shell/wall.ts';
import { byId } from '../byId.ts';
import type { SidePanel } from '../panels/sidePanel.ts';
import type { ShownSession, View } from './shownSession.ts';

export type MountWall = (host: HTMLElement, options: WallOptions) => Wall;

/** What is on show: one session, its wall of charts, and the views around it. */
export interface Stage {
  shown(): ShownSession | null;
  wall(): Wall | null;
  show(session: ShownSession | null): void;
  update(): void;
}

export function stage({
  mountWall,
  panel,
  views,
  onFault,
}: {
  /** null while the charts are still loading; `show` again when they are there. */
  mountWall: () => MountWall | null;
  panel: SidePanel;
  views: readonly View[];
  onFault: (sentence: string) => void;
}): Stage {
  const host = byId('stack', HTMLElement);
  const all: readonly View[] = [panel, ...views];
  let session: ShownSession | null = null;
  let wall: Wall | null = null;
  // A chart that cannot be drawn must not end playback or its recording.
  const mount = (shown: ShownSession): Wall | null => {
    try {
      return mountWall()?.(host, optionsOf(shown, panel)) ?? null;
    } catch (fault) {
      host.replaceChildren();
      onFault(`The charts could not be drawn; playback and recording go on. ${String(fault)}`);
      return null;
    }
  };
  return {
    shown: () => session,
    wall: () => wall,
    show(next) {
      wall?.dispose();
      session = next;
      for (const view of all) view.show(next);
      host.hidden = next === null;
      byId('stack-empty', HTMLElement).hidden = next !== null;
      wall = next && mount(next);
      if (wall && next && !next.growing()) wall.setRange('all');
    },
    update() {
      for (const view of all) view.update();
      wall?.redraw();
    },
  };
}

function optionsOf(shown: ShownSession, panel: SidePanel): WallOptions {
  return {
    series: shown.series,
    onCursor: panel.cursor,
    onPick: panel.pick,
    ...(shown.nowMs && { nowMs: shown.nowMs }),
    ...(shown.openEvents && { openEvents: shown.openEvents }),
  };
}
