import type shaka from 'shaka-player';
import type { Rule } from '../../abr/rule.ts';
import { createRuleHost, type HostOptions } from './ruleHost.ts';
import { connect, createManager, OFF, restoring } from './shakaManager.ts';

/** Shaka's own manager and rules of ours, one of which decides. */
export interface ShakaSwitch {
  /** Puts a rule in charge, also during playback; null: Shaka's own manager. */
  use(rule: Rule | null): void;
}

type AbrManager = shaka.extern.AbrManager;

/**
 * Shaka 5.2.12 reads `abrFactory` when it loads a stream, and keeps its manager from then on (Player.load). So it gets one that
 * passes everything on to two, its own and ours; but only the one in charge is enabled, chooses, and is asked for the rate. Call it
 * after `new shaka.Player()` and before other request filters: ours must see a request before a recording does.
 */
export function createShakaSwitch(player: shaka.Player, options: HostOptions): ShakaSwitch {
  const host = createRuleHost('Shaka', options, () => player.isLive());
  const manager = createManager(player, host);
  const before = player.getConfiguration();
  let own: AbrManager | null = null;
  let isOn = false;
  const both = (): AbrManager[] => [manager.abrManager, ...(own ? [own] : [])];
  const decider = (): AbrManager => (host.decides() || !own ? manager.abrManager : own);
  const switched: AbrManager = {
    init: (...callbacks) => both().forEach((each) => each.init(...callbacks)),
    setVariants: (...given) =>
      both()
        .map((each) => each.setVariants(...given))
        .some(Boolean),
    chooseVariant: (isFirst) => decider().chooseVariant(isFirst),
    enable() {
      isOn = true;
      decider().enable();
    },
    disable() {
      isOn = false;
      both().forEach((each) => each.disable());
    },
    stop() {
      isOn = false;
      both().forEach((each) => each.stop());
    },
    release: () => both().forEach((each) => each.release()),
    configure: (config) => both().forEach((each) => each.configure(config)),
    setMediaElement: (video) => both().forEach((each) => each.setMediaElement(video)),
    getBandwidthEstimate: () => decider().getBandwidthEstimate(),
    segmentDownloaded: (...given) => both().forEach((each) => each.segmentDownloaded(...given)),
    trySuggestStreams: () => decider().trySuggestStreams(),
    playbackRateChanged: (rate) => both().forEach((each) => each.playbackRateChanged(rate)),
    setCmsdManager: (cmsd) => both().forEach((each) => each.setCmsdManager(cmsd)),
  };
  const abrFactory = (): AbrManager => {
    own = (before.abrFactory as () => AbrManager)();
    return switched;
  };
  player.configure({ abrFactory });
  connect(player, manager);
  return {
    use(rule) {
      const wasOurs = host.decides();
      if (rule) {
        own?.disable();
        host.use(rule);
      } else {
        host.rest();
        manager.forget();
      }
      // Shaka enables its manager with each new configuration.
      player.configure({ streaming: rule ? OFF : restoring(before) });
      if (rule && !wasOurs && isOn) manager.takeOver();
    },
  };
}
