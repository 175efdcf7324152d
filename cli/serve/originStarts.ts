import type { Origin, OriginOptions } from '../../lab/caddy/origin.ts';
import { startCaddy } from '../../lab/caddy/startCaddy.ts';
import { startSpeakingOrigin } from '../../lab/origin/startSpeakingOrigin.ts';

export type OriginName = 'caddy' | 'speaking';

/** What can serve, by the name that people give to `--origin`. */
export const originStarts: Readonly<Record<OriginName, (options: OriginOptions) => Promise<Origin>>> = {
  caddy: startCaddy,
  speaking: startSpeakingOrigin,
};
