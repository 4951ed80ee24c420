import type { Span } from "./source.ts";

/** Writes a string like the replaced span, in quotes if YAML would read it as anything else without. */
export function quoteLike({ source, start }: Span, text: string): string {
  const first = source.text[start];
  if (first === "'" && !/[\n\r]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  return first !== '"' && isPlainScalar(text) ? text : JSON.stringify(text);
}

/** Whether YAML reads the text as this string, in block and in flow style. */
export const isPlainScalar = (text: string): boolean =>
  /^[A-Za-z_$./](?:[\w$./()+=*-]|[:#](?=[\w$./])(?<!\s#)| (?=[\w$./()+=*-]))*$/.test(text) && !yamlWords.test(text);

const yamlWords = /^(?:true|false|null|yes|no|on|off|y|n|\.nan|[-+]?\.inf|[-+]?\.\d.*|\.{3})$/i;

/** Whether a span is a string, with or without quotes. */
export function isWritten({ source, start, end }: Span, text: string): boolean {
  const written = source.text.slice(start, end);
  return [text, `'${text.replaceAll("'", "''")}'`, JSON.stringify(text)].includes(written);
}
