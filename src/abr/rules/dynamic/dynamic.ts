import { mustBePositive, tunableRule } from '../../parameters.ts';
import { DASH_DEFAULTS } from './dashDefaults.ts';
import { answered } from './answered.ts';
import { dashState, observed } from './dashState.ts';

/**
 * What dash.js 5.2.1 does with its default settings ("dynamic"), rebuilt from its formulas as a pure rule:
 *
 *     BolaRule         from 12 s of buffer until it is below 6 s: BOLA-E with placeholder (MMSys 2018)
 *     ThroughputRule   otherwise: the highest rung within 0.9 × the estimate, while there is a buffer
 *     InsufficientBufferRule   from the third segment after a start or seek: at most 0.7 × estimate × B / L; the lowest rung
 *                              when the buffer is empty (≤ 0.3 s)
 *     SwitchHistoryRule        of the last 8 requests more than 0.075 drops per other request: not that rung again
 *
 * and takes the lowest wish. The estimate is dash.js' own: two moving means of the rate after the first byte, the lower
 * one (`dashEstimate.ts`). Each number is a parameter with dash.js' default.
 *
 * `bufferTimeDefaultMs` makes BOLA's levels and is a parameter, not the player's target: dash.js takes the setting of
 * that name whatever the target is at the moment (30 or 60 s at the top rung), and up to 10 s + 2 s per rung it
 * changes nothing. At 60 s BOLA would never choose the lowest of six rungs. In 5.1.1 the 12 s were that setting too, so
 * that with 60 s BOLA was hardly ever asked.
 *
 * Not here: the abandoning of running requests (a rule chooses before each request), dropped frames (off by default), and
 * CMSD's estimates. The level of buffer between decisions is reckoned (`reckonedBuffer.ts`). The switch history counts
 * downloads, where dash.js counts each time it asks, also when no request follows. One quirk of dash.js is
 * kept: the placeholder of BOLA's start aims V_p too high (`enhancedLevels.ts`).
 */
export const dynamic = tunableRule(DASH_DEFAULTS, (setting) => {
  mustBePositive('dynamic', setting, Object.keys(DASH_DEFAULTS));
  return {
    id: 'dynamic',
    label: 'Dynamic',
    paper: 'Spiteri, Sitaraman, Sparacio, ACM MMSys 2018, as in dash.js 5.2.1',
    start: (context) => dashState(context, setting),
    observe: (state, event) => observed(state, event, setting),
    decide: (state, moment) => answered(state, moment, setting),
  };
});
