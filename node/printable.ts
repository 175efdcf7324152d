/**
 * Text for a terminal. Names come from outside: each control character except line breaks and tabs becomes a visible escape, so
 * that it moves no cursor and changes no colour.
 */
export const printable = (text: string): string =>
  text.replace(
    /[^\P{Cc}\n\t]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
