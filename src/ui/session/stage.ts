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
}: {
  /** null while the charts are still loading; `show` again when they are there. */
  mountWall: () => MountWall | null;
  panel: SidePanel;
  views: readonly View[];
}): Stage {
  const host = byId('stack', HTMLElement);
  const all: readonly View[] = [panel, ...views];
  let session: ShownSession | null = null;
  let wall: Wall | null = null;
  const mount = (shown: ShownSession): Wall | null =>
    mountWall()?.(host, {
      series: shown.series,
      onCursor: (cursor) => panel.cursor(cursor),
      onPick: (pick) => panel.pick(pick),
      ...(shown.nowMs && { nowMs: shown.nowMs }),
      ...(shown.openEvents && { openEvents: shown.openEvents }),
    }) ?? null;
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
