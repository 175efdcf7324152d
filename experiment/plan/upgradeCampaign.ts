import { isObject } from '../../src/shared/jsonObject.ts';
import { CAMPAIGN_SCHEMA } from './campaignFile.ts';
import { PLAN_SCHEMA } from './plan.ts';

/**
 * Turns a campaign of version 1 into one of this version; any other value is returned as it is. Version 2 renames the field
 * and the comparison `twins` to `aaLabels`, and the origin `speaking` to `instrumented`. Fields keep their order, so that a
 * plan made from it is the same text.
 */
export function upgradeCampaign(value: unknown): unknown {
  if (!isObject(value) || value['schema'] !== 'pitwall-campaign/1') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      if (name === 'schema') return [name, CAMPAIGN_SCHEMA];
      if (name === 'twins') return ['aaLabels', field];
      if (name === 'compare' && field === 'twins') return [name, 'aaLabels'];
      return name === 'origin' && field === 'speaking' ? [name, 'instrumented'] : [name, field];
    }),
  );
}

/** The same for a plan, which holds its campaign. */
export function upgradePlan(value: unknown): unknown {
  if (!isObject(value) || value['schema'] !== 'pitwall-plan/1') return value;
  return { ...value, schema: PLAN_SCHEMA, campaign: upgradeCampaign(value['campaign']) };
}
