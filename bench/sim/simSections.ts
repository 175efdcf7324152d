import { decisionFigures } from './decisionFigures.ts';
import { historyFigures } from './historyFigures.ts';
import { lossFigures } from './lossFigures.ts';
import { optimumFigures } from './optimumFigures.ts';
import { sessionFigures } from './sessionFigures.ts';
import type { Figure } from '../figure.ts';
import type { Entry } from '../../src/shared/registry.ts';
import type { SimSectionOptions } from './simSection.ts';

/** A part of the sim bench that can run alone. */
interface SimSection extends Entry {
  measure(options: SimSectionOptions): Figure[] | Promise<Figure[]>;
}

export const simSections: readonly SimSection[] = [
  {
    id: 'sessions',
    label: 'Sessions a second, chunk model, and what writing the log costs',
    measure: sessionFigures,
  },
  {
    id: 'loss',
    label: 'Player model with the senders of the lab, by the loss of the path, rule bba-2',
    measure: lossFigures,
  },
  {
    id: 'decisions',
    label: 'Time per decision within sessions of the chunk model, 99 of 100 below',
    measure: decisionFigures,
  },
  {
    id: 'history',
    label: 'A decision after 24 h against one after a minute, with the same last minute',
    measure: historyFigures,
  },
  {
    id: 'optimum',
    label: 'Offline optimum with its bound, linear QoE, time per trace',
    measure: optimumFigures,
  },
];
