/**
 * `@pitwall/abr`: the rules as pure functions, their contract, and what they are made of. Needs neither a browser nor Node.
 * The README of this folder is that of the package.
 */
export type * from '../../src/abr/rule.ts';
export { highestRungWithin, type Ladder, type Rung } from '../../src/abr/ladder.ts';

export * from '../../src/abr/rules/index.ts';
export { abrRules } from '../../src/abr/registry.ts';
export { parseRule } from './parseRule.ts';

export { createRuleRunner, type RuleRunner } from '../../src/abr/runner.ts';
export { checkedAnswer, stay, unmeasured, type CheckedAnswer } from '../../src/abr/answer.ts';
export { createPauses, segmentsBetween, type Pauses } from '../../src/abr/ruleInput.ts';
export { mustBeCount, mustBePositive, tunableRule, type RuleBody } from '../../src/abr/parameters.ts';
export {
  segmentBytes,
  segmentMsOf,
  sizesAreKnown,
  sizeNote,
  type SegmentSizes,
} from '../../src/abr/segmentBytes.ts';
export {
  readSizesFile,
  SIZES_SCHEMA,
  type SizedRepresentation,
  type SizesFile,
} from '../../src/abr/sizesFile.ts';

export * as dashEstimate from '../../src/abr/estimators/dashEstimate.ts';
export * as harmonicMean from '../../src/abr/estimators/harmonicMean.ts';
export * as latencyAndRate from '../../src/abr/estimators/latencyAndRate.ts';
export * as reckonedBuffer from '../../src/abr/estimators/reckonedBuffer.ts';
export * as totalRate from '../../src/abr/estimators/totalRate.ts';

export type { Result } from '../../src/shared/result.ts';
