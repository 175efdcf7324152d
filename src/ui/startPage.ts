import type { SessionStore } from '../telemetry/shell/store/sessionStore.ts';
import { alertBar, announce, formatThrown } from './messages.ts';
import { exposeAutomation } from './automation.ts';
import { begin, opener } from './begin.ts';
import { byId, setTo } from './dom.ts';
import { dropZone } from './files/dropZone.ts';
import { exportMenu } from './files/exportMenu.ts';
import { header, pageState } from './pageState.ts';
import type { CompareRequest } from './compare/openCompare.ts';
import { diagnosticsPanel } from './panels/diagnosticsPanel.ts';
import { figuresRow } from './panels/figures.ts';
import { sidePanel } from './panels/sidePanel.ts';
import { overlay } from './screen/overlay.ts';
import { screen } from './screen/screen.ts';
import { firstFrame, ticker, whileSeen } from './schedule.ts';
import { openedSession } from './session/shownSession.ts';
import { type CreatePlayer, type Runner, runner, type StartOptions } from './session/run.ts';
import { type MountChartPanel, type Stage, stage } from './session/stage.ts';
import { startForm, type PickedRule } from './setup/startForm.ts';
import { transportOffer } from './setup/transportOffer.ts';

/** The page has come to life, and nobody pressed anything yet. */
const AT_REST_MS = 300;

/** What the page is made of besides itself; the charts are loaded when they are needed first. */
export interface PageParts {
  readonly createPlayer: CreatePlayer;
  readonly mountChartPanel: () => Promise<MountChartPanel>;
  readonly openCompare: () => Promise<(request: CompareRequest) => Promise<void>>;
  /** Does ahead what the first start, with that rule, would wait for. */
  readonly warm: (rule: string) => Promise<void>;
  readonly store: SessionStore;
}

/** Brings index.html to life. */
export function startPage({ createPlayer, mountChartPanel, openCompare, warm, store }: PageParts): void {
  const alert = alertBar();
  const offer = transportOffer();
  const show = panelStage(mountChartPanel, offer, alert.say);
  const runs = runner({
    createPlayer,
    store,
    video: byId('video', HTMLVideoElement),
    captions: byId('captions', HTMLDivElement),
    onChange: () => write(),
    onFault: alert.say,
    onRun: (run) => {
      picture.follow(run);
      show.show(run.session);
      announce('The stream starts and is recorded.');
    },
  });
  const start = (options: StartOptions = {}): void => {
    const setup = form.setup();
    if (!setup.ok) return alert.say(setup.error);
    alert.clear();
    picture.expect({ sound: !options.muted });
    void runs.start(setup.value, options);
  };
  const form = startForm({
    onStart: start,
    onRule: (rule) => void useRule(runs, rule).catch((fault: unknown) => alert.say(formatThrown(fault))),
    onChange: offer.update,
  });
  const picture = screen({ run: runs.run, onStart: start });
  const write = pageWriter({ runs, show, form, picture });
  ticker(() => {
    runs.run()?.session.advance();
    show.update();
    write();
  });
  exportMenu({ session: show.shown, chartPanel: show.chartPanel, onFault: alert.say });
  openFiles({ runs, show, write, compare: compareOpener({ runs, openCompare, write, say: alert.say }) });
  exposeAutomation({
    run: runs.run,
    pending: runs.pending,
    open: opener({ form, picture, runs }),
  });
  write();
  void begin({ form, store, start, say: alert.say, onDescription: offer.describe }).then(() =>
    // What starts by itself is on its way: there is nothing to do ahead of it.
    setTimeout(() => {
      if (runs.run() === null && runs.pending().phase === 'idle') warm(form.rule()).catch(reportError);
    }, AT_REST_MS),
  );
}

/** The compare view takes the page's place; what plays goes on recording. */
function compareOpener({
  runs,
  openCompare,
  write,
  say,
}: {
  runs: Runner;
  openCompare: PageParts['openCompare'];
  write: () => void;
  say: (sentence: string) => void;
}): (picked: CompareRequest['picked']) => void {
  const compare = (picked: CompareRequest['picked'] = []): void => {
    runs.run()?.player.pause();
    openCompare()
      .then((open) => open({ picked, onLive: write }))
      .catch((fault: unknown) => say(formatThrown(fault)));
  };
  byId('view-compare', HTMLAnchorElement).addEventListener('click', (event) => {
    event.preventDefault();
    compare();
  });
  return compare;
}

/** A dropped or picked file takes the page over; what played goes on recording. */
function openFiles({
  runs,
  show,
  write,
  compare,
}: {
  runs: Runner;
  show: Stage;
  write: () => void;
  compare: (picked: CompareRequest['picked']) => void;
}): void {
  dropZone({
    shown: show.shown,
    onMany: compare,
    onOpen({ log, name, netLog }) {
      runs.run()?.player.pause();
      show.show(openedSession(log, name));
      announce(netLog === null ? `Opened ${name}.` : `Opened ${name} with the races of ${netLog}.`);
      write();
    },
  });
}

function panelStage(
  loadChartPanel: PageParts['mountChartPanel'],
  offer: ReturnType<typeof transportOffer>,
  onFault: (sentence: string) => void,
): Stage {
  const panel = sidePanel(() => show.chartPanel());
  const diagnostics = diagnosticsPanel((atMs) => show.chartPanel()?.setCursor(atMs));
  const views = [
    whileSeen(byId('decision', HTMLElement), panel),
    whileSeen(byId('figures', HTMLElement), figuresRow()),
    overlay(),
    offer,
    diagnostics,
  ];
  const show = stage({ loadChartPanel, panel, views, onFault });
  // Ahead of need, but behind the first frame of a stream that starts by itself. A failure is reported when it matters.
  void firstFrame(byId('video', HTMLVideoElement)).then(() => loadChartPanel().catch(() => {}));
  return show;
}

/** Header, start button and picture say what state the page is in. */
function pageWriter({
  runs,
  show,
  form,
  picture,
}: {
  runs: Runner;
  show: Stage;
  form: ReturnType<typeof startForm>;
  picture: ReturnType<typeof screen>;
}): () => void {
  const writeHeader = header({
    onStop: () => void runs.stop(),
    onBack: () => {
      show.show(runs.run()?.session ?? null);
      write();
    },
  });
  const write = (): void => {
    const state = pageState(runs, show.shown());
    const opened = state.openedName !== null;
    writeHeader(state);
    picture.write({ phase: state.phase, opened: state.openedAbout });
    if (state.phase === 'starting') form.label('Starting…', true);
    else form.label(state.recording ? 'Restart' : 'Start', false);
    setTo(document.body.dataset, 'state', opened ? 'opened' : state.phase);
  };
  return write;
}

/** The picker acts at once on what plays; otherwise it is only for the next start. */
async function useRule(runs: Runner, { rule, label, weights }: PickedRule): Promise<void> {
  if (!runs.run()?.session.growing()) return;
  const text = await weights();
  const run = runs.run();
  if (!run?.session.growing()) return;
  await run.player.useRule(rule, text);
  announce(`${label} decides from now on.`);
}
