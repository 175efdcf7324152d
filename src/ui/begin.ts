import type { SessionStore, StoredSession } from '../telemetry/shell/store/sessionStore.ts';
import { recovery, resumePoint } from './session/recovery.ts';
import type { StartOptions, Runner } from './session/run.ts';
import { originDescription, type OriginDescription, reachableDemo } from './setup/originDescription.ts';
import { linkedSetup } from './setup/sharedLink.ts';
import type { StartForm } from './setup/startForm.ts';
import { formatQueryValue } from '../shared/format.ts';
import { byId, html } from './dom.ts';
import type { Automation } from './automation.ts';
import type { screen } from './screen/screen.ts';

interface Options {
  readonly form: StartForm;
  readonly store: SessionStore;
  readonly start: (options?: StartOptions) => void;
  readonly say: (sentence: string) => void;
  readonly onDescription: (description: OriginDescription) => void;
}

/**
 * What happens when the page opens: the form is filled from the link or with the origin's demo, recordings that were
 * cut off are offered, and a link with a stream starts it.
 */
export async function begin({ form, store, start, say, onDescription }: Options): Promise<void> {
  const linked = linkedSetup(location.search);
  form.fill(linked);
  // The lab's sessions begin at once; whatever else there is to say comes beside them.
  const atOnce = linked.autoplay === 'muted' && linked.mpd !== null;
  if (atOnce) start({ muted: true });
  const described = originDescription(location.href).then(async (description) => {
    onDescription(description);
    const given = form.mpd().trim();
    // A stream that is about to play meets a server that no request of the page has warmed up.
    if (given !== '' && !sameOrigin(given, description.plainDemoUrl)) return;
    const reached = reachableDemo(description).then((mpd) => {
      const isPlain = mpd === description.plainDemoUrl;
      onDescription({ ...description, isPlain });
      return { mpd, isPlain };
    });
    if (given !== '') return;
    const { mpd, isPlain } = await reached;
    offerPaced(description.paces, isPlain);
    if (form.mpd().trim() === '') form.fill({ mpd });
  });
  const cutOff = await recovery({ store, onFault: say, onResume: (session) => void resume(session) }).catch(
    (fault: unknown) => {
      say(`Earlier recordings could not be read: ${String(fault)}`);
      return [];
    },
  );
  await described;
  if (atOnce || linked.autoplay === 'off') return;
  if (linked.autoplay === 'muted') return start({ muted: true });
  // After a reload the visitor first decides what becomes of the recording that it cut off.
  const waits = cutOff.some(({ mpdUrl }) => sameStream(mpdUrl, form.mpd()));
  if (linked.mpd !== null && !waits) start();

  async function resume({ id }: StoredSession): Promise<void> {
    const { startMs, ...values } = await resumePoint(store, id, form.mpd());
    form.fill(values);
    start({ resumeId: id, startMs });
  }
}

/**
 * Offers the demo at the paces that this server sends it at, each as a link that plays it: on one machine nothing else makes a
 * rule react. `isPlain`: this browser does not trust the certificate of the other address.
 */
function offerPaced(paces: OriginDescription['paces'], isPlain: boolean): void {
  const links = paces.flatMap(({ label, about, demoUrl, plainDemoUrl }) => {
    const mpd = isPlain ? plainDemoUrl : demoUrl;
    if (mpd === null) return [];
    const link = html('a', {}, html('b', {}, label), html('span', {}, about));
    link.href = `./?mpd=${formatQueryValue(mpd)}`;
    return [html('li', {}, link)];
  });
  byId('paced-list', HTMLUListElement).replaceChildren(...links);
  byId('paced', HTMLElement).hidden = links.length === 0;
}

/** The log may have another query than the address in the form: its values are not recorded. */
function sameStream(logged: string | null, typed: string): boolean {
  const [ours, theirs] = [URL.parse(logged ?? ''), URL.parse(typed, location.href)];
  return ours !== null && ours.origin === theirs?.origin && ours.pathname === theirs.pathname;
}

const sameOrigin = (one: string, other: string | null): boolean =>
  URL.parse(one, location.href)?.origin === URL.parse(other ?? '')?.origin;

interface Page {
  readonly form: StartForm;
  readonly picture: Pick<ReturnType<typeof screen>, 'expect'>;
  readonly runs: Runner;
}

/** Opens a stream on a page that is there already. */
export const opener =
  ({ form, picture, runs }: Page): Automation['open'] =>
  async (query) => {
    form.fill(linkedSetup(query));
    const setup = form.setup();
    if (!setup.ok) throw new Error(setup.error);
    picture.expect({ sound: false });
    await runs.start(setup.value, { muted: true });
    const { error } = runs.pending();
    if (error !== null) throw new Error(error);
  };
