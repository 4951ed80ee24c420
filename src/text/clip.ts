/** A piece of the user's text as it can stand in a sentence: long ones are cut off. */
export function clip(text: string, length = 60): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
