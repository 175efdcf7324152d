import type Hls from 'hls.js';
import type { AbrComponentAPI, HlsConfig } from 'hls.js';
import type { Rule } from '../../abr/rule.ts';
import { controllerOf, createController } from './hlsController.ts';
import { createRuleHost, type HostOptions } from './ruleHost.ts';
import { detailsOf } from './hlsTerms.ts';

/** hls.js' own controller and rules of ours, one of which decides. */
export interface HlsSwitch {
  /** `config.abrController` of `new Hls(config)`. hls.js' own controller decides until a rule is used. */
  readonly abrController: HlsConfig['abrController'];
  /** Puts a rule in charge, also during playback; null: hls.js' own controller. */
  use(rule: Rule | null): void;
}

/** @param own hls.js' own controller: `Hls.DefaultConfig.abrController` */
export function createHlsSwitch(own: HlsConfig['abrController'], options: HostOptions): HlsSwitch {
  let rule: Rule | null = null;
  const players = new Set<SwitchedController>();
  const abrController = controllerOf((hls) => {
    const controller: SwitchedController = createSwitched(hls, {
      own,
      options,
      onDestroy: () => players.delete(controller),
    });
    players.add(controller);
    controller.use(rule);
    return controller;
  });
  return {
    abrController,
    use(next) {
      rule = next;
      for (const player of players) player.use(next);
    },
  };
}

interface SwitchedController extends AbrComponentAPI {
  use(rule: Rule | null): void;
}

interface Parts {
  readonly own: HlsConfig['abrController'];
  readonly options: HostOptions;
  readonly onDestroy: () => void;
}

/**
 * One controller for hls.js, behind which another one decides. Ours always listens, so that a rule knows the latest downloads;
 * hls.js' own is there only while it decides, because its timers abandon requests.
 */
function createSwitched(hls: Hls, { own: Own, options, onDestroy }: Parts): SwitchedController {
  const host = createRuleHost('hls.js', options, () => detailsOf(hls)?.live === true);
  const ours = createController(hls, host, onDestroy);
  const { config } = hls;
  const { lowLatencyMode } = config;
  let own: AbrComponentAPI | null = null;
  const decider = (): AbrComponentAPI => own ?? ours;
  const giveBack = (): void => {
    if (own) return;
    host.rest();
    ours.forget();
    own = new Own(hls);
    const estimateKbps = host.estimateKbps();
    // A new controller of its own expects 500 kbit/s (abrEwmaDefaultEstimate).
    if (estimateKbps > 0) own.resetEstimator(estimateKbps * 1000);
  };
  return {
    get nextAutoLevel() {
      return decider().nextAutoLevel;
    },
    set nextAutoLevel(index) {
      decider().nextAutoLevel = index;
    },
    get firstAutoLevel() {
      return decider().firstAutoLevel;
    },
    get forcedAutoLevel() {
      return decider().forcedAutoLevel;
    },
    get bwEstimator() {
      return decider().bwEstimator!;
    },
    resetEstimator: (estimate) => decider().resetEstimator(estimate),
    destroy() {
      own?.destroy();
      ours.destroy();
    },
    use(rule) {
      // Parts wait for their making, which a rule would take for a slow network.
      config.lowLatencyMode = rule === null && lowLatencyMode;
      if (rule === null) return giveBack();
      own?.destroy();
      own = null;
      host.use(rule);
    },
  };
}
