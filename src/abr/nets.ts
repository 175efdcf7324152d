/** The rules that decide with weights, all that is heavy about them: the page loads this when one of them is chosen. */
export { weightedNeural } from './rules/neural/weightedNeural.ts';
export { weightedPensieve } from './rules/pensieve/weightedPensieve.ts';
