import '../tokens.css';
import '../styles/base.css';
import '../styles/start.css';
import '../styles/figures.css';
import '../styles/panels.css';
import '../styles/floating.css';
import '../styles/narrow.css';
import type { ChartPanel } from '../../charts/shell/chartPanel.ts';
import { mountChartPanel } from '../../charts/shell/mountChartPanel.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { byId } from '../dom.ts';
import { download } from '../files/download.ts';
import { alertBar, formatThrown } from '../messages.ts';
import { diagnosticsPanel } from '../panels/diagnosticsPanel.ts';
import { figuresRow } from '../panels/figures.ts';
import { sidePanel } from '../panels/sidePanel.ts';
import { viewOf } from '../panels/eventViews.ts';
import { openedSession } from '../session/openedSession.ts';
import { writeFacts } from '../setup/setupFacts.ts';

/** The script of a session's page (src/export/sessionPage.ts): it reads the log in the page, and asks for nothing. */
async function showSession(): Promise<void> {
  const text = await unpack(byId('log', HTMLScriptElement).text);
  const session = openedSession(JSON.parse(text) as SessionLog, 'session');
  const { id } = session.header();
  byId('opened-name', HTMLElement).textContent = id;
  document.title = `${id} · Pitwall`;
  const save = byId('save-log', HTMLButtonElement);
  save.addEventListener('click', () =>
    download(new Blob([text], { type: 'application/json' }), `pitwall-${id}.json`),
  );
  save.disabled = false;
  writeFacts(session.header());
  let chartPanel: ChartPanel | null = null;
  const panel = sidePanel(
    () => chartPanel,
    () => Promise.resolve({ viewOf }),
  );
  const views = [figuresRow(), diagnosticsPanel((atMs) => chartPanel?.setCursor(atMs)), panel];
  for (const view of views) view.show(session);
  chartPanel = mountChartPanel(byId('stack', HTMLElement), {
    series: session.series,
    onCursor: panel.cursor,
    onPick: panel.pick,
  });
  chartPanel.setRange('all');
}

/** Returns the text behind base64 of gzip. @throws Error in one sentence */
async function unpack(base64: string): Promise<string> {
  if (base64 === '') throw new Error('There is no session in this page.');
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
}

showSession().catch((fault: unknown) =>
  alertBar().say(`The session in this page cannot be shown. ${formatThrown(fault)}`),
);
