import type { Pathway } from '../../steering/policy.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

/** The pathways of a session, as in the lab: the origin under its own name, and under a second one without HTTP/3. */
export type PathwayId = 'main' | 'tcp';

interface SimulatedPathway extends Pathway {
  readonly id: PathwayId;
}

export const PATHWAYS: readonly SimulatedPathway[] = [
  { id: 'main', carries: 'any' },
  { id: 'tcp', carries: 'tcp' },
];

/** Whether a policy named a pathway of the model. */
export function pathwayOf(id: string): PathwayId {
  const found = PATHWAYS.find((pathway) => pathway.id === id);
  if (!found) throw new Error(`The player model has no pathway "${id}".`);
  return found.id;
}

/** The settings of what a pathway carries: a browser speaks h2 to a name without HTTP/3. */
export function settingsOver(settings: PlayerModelSettings, pathway: PathwayId): PlayerModelSettings {
  if (pathway === 'main') return settings;
  const sender = settings.steering?.tcpSender ?? settings.sender;
  return { ...settings, protocol: 'h2', connections: null, sender };
}
