import { MIN_STALL_MS } from '../shared/stalls.ts';
import type { SessionStore } from '../telemetry/shell/store/sessionStore.ts';
import { alertBar, announce, formatThrown } from './messages.ts';
import { exposeAutomation } from './automation.ts';
import { begin, opener } from './begin.ts';
import { byId, setTo } from './dom.ts';
import { dropZone } from './files/dropZone.ts';
import type { OpenedFile } from './files/openFiles.ts';
import { exportMenu } from './files/exportMenu.ts';
import { offerRecorded, sessionIn } from './files/recordedSessions.ts';
import { header, pageState } from './pageState.ts';
import type { CompareRequest } from './compare/openCompare.ts';
import { figuresRow } from './panels/figures.ts';
import { sidePanel } from './panels/sidePanel.ts';
import { overlay } from './screen/overlay.ts';
import { screen } from './screen/screen.ts';
import { trouble } from './screen/trouble.ts';
import { ticker, whileSeen } from './schedule.ts';
import { type CreatePlayer, type Runner, runner, type StartOptions } from './session/run.ts';
import type { LoadSessionViews } from './session/shownSession.ts';
import { type Stage, stage } from './session/stage.ts';
import { undoStart, type UndoStart } from './session/undoStart.ts';
import { openedSetup } from './setup/openedSetup.ts';
import type { OriginDescription } from './setup/originDescription.ts';
import type { Linked } from './setup/sharedLink.ts';
import { startForm, type PickedRule } from './setup/startForm.ts';
import { transportOffer } from './setup/transportOffer.ts';

/** The page has come to life, and nobody pressed anything yet. */
const AT_REST_MS = 300;

/** What the page is made of besides itself; what explains a session is loaded when it is needed first. */
interface PageParts {
  readonly createPlayer: CreatePlayer;
  readonly loadViews: LoadSessionViews;
  readonly openCompare: () => Promise<(request: CompareRequest) => Promise<void>>;
  /** Does ahead what the first start, with that rule, would wait for. */
  readonly warm: (rule: string) => Promise<void>;
  readonly store: SessionStore;
}

/** Brings index.html to life. */
export function startPage({ createPlayer, loadViews, openCompare, warm, store }: PageParts): void {
  const alert = alertBar();
  const offer = transportOffer();
  const show = panelStage(loadViews, offer, {
    onFault: alert.say,
    onAgain(setup) {
      form.fill(setup);
      show.show(runs.run()?.session ?? null);
      write();
    },
  });
  const undo = undoStart({ runs: () => runs, store, say: alert.say });
  const runs = runner({
    createPlayer,
    store,
    loadViews,
    video: byId('video', HTMLVideoElement),
    captions: byId('captions', HTMLDivElement),
    onChange: () => write(),
    onFault: alert.say,
    onRun(run) {
      picture.follow(run);
      show.show(run.session);
      undo.began();
    },
  });
  const { start, startByHand } = starter({
    setup: () => form.setup(),
    runs,
    undo,
    alert,
    expect: (start) => picture.expect(start),
  });
  const form = startForm({
    onStart: startByHand,
    onRule: (rule) => void useRule(runs, rule).catch((fault: unknown) => alert.say(formatThrown(fault))),
    onChange: offer.update,
  });
  const stepDecision = (step: -1 | 1): void => show.chartPanel()?.stepDecision(step);
  const picture = screen({ run: runs.run, onStart: startByHand, stepDecision });
  const write = pageWriter({ runs, show, form, picture });
  keepUpToDate({ runs, show, write });
  exportMenu({ session: show.shown, chartPanel: show.chartPanel, onFault: alert.say });
  const compare = compareOpener({ runs, openCompare, write, say: alert.say });
  openFiles({ runs, show, store, loadViews, write, compare, say: alert.say });
  byId('check', HTMLButtonElement).addEventListener('click', () => {
    import('./check/checkStream.ts')
      .then(({ checkStream }) => checkStream(form.mpd()))
      .catch((fault: unknown) => alert.say(formatThrown(fault)));
  });
  exposeAutomation({ run: runs.run, pending: runs.pending, open: opener({ form, picture, runs }) });
  write();
  const onDescription = (description: OriginDescription): void => {
    offer.describe(description);
    if (description.races)
      void import('./session/followRaces.ts').then((chunk) => chunk.followRaces(runs.run));
  };
  void begin({ form, store, start, say: alert.say, onDescription }).then(() =>
    warmAtRest(runs, () => warm(form.rule())),
  );
}

/** What starts by itself is on its way: there is nothing to do ahead of it. */
function warmAtRest(runs: Runner, warm: () => Promise<void>): void {
  setTimeout(() => {
    if (runs.run() === null && runs.pending().phase === 'idle') warm().catch(reportError);
  }, AT_REST_MS);
}

interface Starting {
  readonly setup: () => ReturnType<ReturnType<typeof startForm>['setup']>;
  readonly runs: Runner;
  readonly undo: UndoStart;
  readonly alert: ReturnType<typeof alertBar>;
  readonly expect: (start: { sound: boolean }) => void;
}

/** Starts what the form holds: for the page itself, and for a person who presses a button. */
function starter({ setup, runs, undo, alert, expect }: Starting): {
  start(options?: StartOptions): void;
  startByHand(): void;
} {
  /** Whether there was a set-up to start. */
  const begin = (options: StartOptions = {}): boolean => {
    const read = setup();
    undo.startsWith(read.ok ? read.value : null);
    if (!read.ok) {
      alert.say(read.error);
      return false;
    }
    alert.clear();
    expect({ sound: !options.muted });
    void runs.start(read.value, options);
    return true;
  };
  return {
    start: (options) => void begin(options),
    startByHand() {
      undo.asked();
      if (begin()) focusVideo();
    },
  };
}

/** Keys then act on the player. A button that is pressed again by Space would end the recording. */
const focusVideo = (): void => byId('video', HTMLVideoElement).focus({ preventScroll: true });

/** Writes once a second, and when a stall has become one. */
function keepUpToDate({ runs, show, write }: { runs: Runner; show: Stage; write: () => void }): void {
  const tick = (): void => {
    runs.run()?.session.advance();
    show.update();
    write();
  };
  ticker(tick);
  const video = byId('video', HTMLVideoElement);
  for (const name of ['waiting', 'playing'])
    video.addEventListener(name, () => setTimeout(tick, MIN_STALL_MS + 50));
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
  store,
  loadViews,
  write,
  compare,
  say,
}: {
  runs: Runner;
  show: Stage;
  store: SessionStore;
  loadViews: LoadSessionViews;
  write: () => void;
  compare: (picked: CompareRequest['picked']) => void;
  say: (sentence: string) => void;
}): void {
  const open = ({ log, name, netLog }: OpenedFile, atMs: number | null = null): void => {
    loadViews()
      .then(({ openedSession }) => {
        const session = openedSession(log, name);
        runs.run()?.player.pause();
        show.show(session, atMs);
        announce(netLog === null ? `Opened ${name}.` : `Opened ${name} with the races of ${netLog}.`);
        write();
      })
      .catch((fault: unknown) => say(`${name} could not be shown: ${formatThrown(fault)}`));
  };
  const take = dropZone({ shown: show.shown, onMany: compare, onOpen: (opened) => open(opened) });
  byId('drop', HTMLDialogElement).addEventListener('beforetoggle', ({ newState }) => {
    if (newState !== 'open') return;
    import('./files/recordings.ts')
      .then(({ listRecordings }) =>
        listRecordings({
          store,
          own: () => runs.run()?.player.telemetry.sessionId ?? null,
          onOpen: (log, name) => open({ log, name, netLog: null }),
          onFault: say,
        }),
      )
      .catch((fault: unknown) => say(`Your recordings could not be listed: ${formatThrown(fault)}`));
  });
  offerRecorded();
  const named = sessionIn(location.search, location.href);
  if (!named.ok) return say(named.error);
  const { value } = named;
  if (!value) return;
  import('./files/loadSession.ts')
    .then(({ loadSession }) => loadSession(value))
    .then((file) => take([file], (opened) => open(opened, value.atMs)))
    .catch((fault: unknown) => say(formatThrown(fault)));
}

function panelStage(
  loadViews: LoadSessionViews,
  offer: ReturnType<typeof transportOffer>,
  { onFault, onAgain }: { onFault: (sentence: string) => void; onAgain: (setup: Linked) => void },
): Stage {
  const panel = sidePanel(() => show.chartPanel(), loadViews);
  const views = [
    whileSeen(byId('decision', HTMLElement), panel),
    whileSeen(byId('figures', HTMLElement), figuresRow()),
    overlay(),
    trouble(),
    openedSetup(onAgain),
    offer,
  ];
  const show = stage({ loadViews, panel, views, onFault });
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
    picture.write({ phase: state.phase, isCovered: opened });
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
