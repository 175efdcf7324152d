import { isAsked, verdictOf, type Figure } from './figure.ts';

/** How many goals were met, and which were not. */
export function summary(figures: readonly Figure[]): string {
  const asked = figures.filter(isAsked);
  const missed = asked.filter((figure) => verdictOf(figure) !== 'met');
  if (missed.length === 0) return `\nAll ${asked.length} goals met.`;
  return `\n${asked.length - missed.length} of ${asked.length} goals met. NOT met: ${missed.map(({ label }) => label.trim()).join('; ')}.`;
}
