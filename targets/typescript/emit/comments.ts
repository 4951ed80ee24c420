/** A text for a comment of one line. */
export const oneLine = (text: string, most = 100): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, " ").slice(0, most);

/** A text as a doc comment: nothing in it ends the comment. */
export const docText = (text: string): string => `/** ${oneLine(text, 400).replaceAll("*/", "*\\/")} */`;
