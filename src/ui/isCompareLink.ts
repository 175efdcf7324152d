/** Whether the page's address asks for the compare view and not for the live one. */
export const isCompareLink = (search: string): boolean => /[?&](compare|logs?)(=|&|$)/.test(search);
