import type { Report } from "../../text/diagnostics.ts";
import type { Span } from "../../text/source.ts";
import { comparedPlaceholder, unreadablePlaceholder } from "./diagnostics/kinds.ts";
import { placeholder } from "./files/intrinsics.ts";

/** A string of a definition. */
interface PlacedString {
  readonly text: string;
  spanAt(from: number, to: number): Span;
}

/** Reports the placeholders without a value in a string that cannot be read. Whether there are any. */
export function reportUnreadable(string: PlacedString, report: Report): boolean {
  const found = placeholdersIn(string);
  for (const { name, span } of found) report(unreadablePlaceholder(span, { name }));
  return found.length > 0;
}

/** Reports the placeholders without a value in a string with which a state computes. */
export function reportComputed(string: PlacedString, report: Report): void {
  for (const { name, span } of placeholdersIn(string)) report(comparedPlaceholder(span, { name }));
}

function placeholdersIn({ text, spanAt }: PlacedString): readonly { readonly name: string; readonly span: Span }[] {
  return Array.from(text.matchAll(placeholder), (found) => ({
    name: found[1]!,
    span: spanAt(found.index, found.index + found[0].length),
  }));
}
