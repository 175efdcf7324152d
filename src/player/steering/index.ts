/** What is loaded for sessions with more than one pathway. */
export { policyOf } from '../../steering/registry.ts';
export { createSteering } from './steering.ts';
