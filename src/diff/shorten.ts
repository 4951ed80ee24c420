import { visible } from "../diagnostics/renderers/text.ts";

/** The maximum length of a value in a report for people. */
const maxLength = 160;
/** How much of what two long values have in common is shown before their first difference. */
const lead = 40;

/** Shortens two values to a line each, so that their first difference is visible. */
export function shortenBoth(
  old: string | undefined,
  created: string | undefined,
): readonly [old: string | undefined, created: string | undefined] {
  const [before, after] = [old, created].map((text) => text?.replace(/\s+/g, " "));
  const common = before === undefined || after === undefined ? 0 : commonLength(before, after);
  const isLong = Math.max(before?.length ?? 0, after?.length ?? 0) > maxLength;
  const start = isLong && common > lead ? common - lead : 0;
  return [before && cut(before, start), after && cut(after, start)];
}

function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}

function cut(text: string, start: number): string {
  const rest = start === 0 ? text : `…${text.slice(start)}`;
  const isLong = rest.length > maxLength;
  return visible((isLong ? `${rest.slice(0, maxLength - 1)}…` : rest).toWellFormed());
}
