/** A colour by its name among the page's tokens (`src/ui/tokens.css`), so that pictures turn dark with the page. */
export const tone = (token: string): string => `var(--${token})`;

/** Better and worse for the viewer: never without a sign, a word or a side, and apart for every kind of colour blindness. */
export const BETTER = 'session-f';
export const WORSE = 'stall';
