import { ruleLook } from '../../../charts/ruleLook.ts';
import type { ReportSource } from '../../reportSource.ts';
import { baselineOf } from './baselineOf.ts';
import { facetsOf, type Arm } from './facetsOf.ts';
import { slug } from './slug.ts';

/** More leave no space for the numbers. */
const MAX_COLUMNS = 7;

/** A column: an arm, and the one that it is compared with. */
export interface HeatColumn {
  readonly label: string;
  readonly name: string;
  readonly arm: Arm;
  readonly base: Arm;
}

export interface HeatMap {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly HeatColumn[];
}

/** Rules are columns wherever they are: of one transport after the other, or of one that the others are compared with. */
export function heatMaps(source: ReportSource): HeatMap[] {
  const { compare } = source.plan.campaign;
  const baseline = baselineOf(source.plan);
  const facets = facetsOf(source);
  const columns = facets.flatMap((facet) => {
    const base = facet.arms.find(({ name }) => name === baseline);
    return base ? facet.arms.filter((arm) => arm !== base).map((arm) => ({ facet, arm, base })) : [];
  });
  const groups =
    compare === 'rules' ? facets.map(({ name }) => name) : [...new Set(columns.map(({ arm }) => arm.name))];
  return groups.flatMap((group) => {
    const mine = columns.filter(({ facet, arm }) => (compare === 'rules' ? facet.name : arm.name) === group);
    const what =
      compare === 'rules' ? `Rules against ${ruleLook(baseline).label}` : `${group} against ${baseline}`;
    const over = compare === 'rules' && facets.length > 1 ? ` over ${group}` : '';
    return chunked(mine, MAX_COLUMNS).map((part, index) => ({
      id: slug(group, index === 0 ? '' : String(index + 1)),
      title: `${what}${over}`,
      columns: part.map(({ facet, arm, base }) => ({
        ...{ arm, base, name: compare === 'rules' ? arm.name : facet.name },
        label: shortName(compare === 'rules' ? arm.name : facet.name),
      })),
    }));
  });
}

/** Rules by their three letters, anything else as it is. */
const shortName = (name: string): string => {
  const [first = '', ...others] = name.split('/');
  return [/^h[123](-|$)/.test(first) || first === '' ? first || 'all' : ruleLook(first).code, ...others].join(
    ' ',
  );
};

const chunked = <Entry>(entries: readonly Entry[], max: number): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / max) }, (_, part) =>
    entries.slice(part * max, (part + 1) * max),
  );
