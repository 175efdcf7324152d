/** Text for Markdown. Names come from outside: none may end a cell, begin a tag or a link. */
export const plain = (text: string): string =>
  text.replace(/[\\`*_[\]<>|]/g, (sign) => (sign === '<' ? '&lt;' : `\\${sign}`)).replace(/\s+/g, ' ');
