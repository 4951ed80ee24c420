import type { Json } from "../../json.ts";
import { withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import { findForeign, type StringLanguage } from "./delimiters.ts";
import { foreignExpression } from "./diagnostics/kinds.ts";
import { type ReadContext, spanOf } from "./properties.ts";

/** A string with delimiters of another language. */
interface StringPlace {
  readonly owner: object;
  readonly key: string | number;
  /** Whether the language evaluates expressions here. */
  readonly isEvaluated?: boolean | undefined;
  /** A piece of the string, next to expressions; by default the whole string. */
  readonly piece?: { readonly text: string; readonly from: number };
}

/** Reports the first expression in a string that is in the delimiters of another language. */
export function checkDelimiters(context: ReadContext, language: StringLanguage, place: StringPlace): void {
  const { owner, key, piece, isEvaluated = true } = place;
  const text = String((owner as { readonly [key: string | number]: unknown })[key]);
  const found = findForeign(piece?.text ?? text, language, piece !== undefined);
  if (!found || (found.delimiter === "variable" && String(key).startsWith("$"))) return;
  const [from, to] = [found.from, found.to].map((offset) => offset + (piece?.from ?? 0)) as [number, number];
  const meant = isEvaluated ? found.meant : undefined;
  const diagnostic = foreignExpression(context.document.spanWithin(owner, key, from, to), { text: found.text, meant });
  const whole = spanOf(context, owner, key);
  const isFixable = meant !== undefined && found.isCertain && !/[\n\r]/.test(text);
  const written = `${text.slice(0, from)}${meant}${text.slice(to)}`;
  context.report(isFixable ? withFix(diagnostic, quoteLike(whole, written), whole) : diagnostic);
}

/** Checks all strings of a value. */
export function checkDelimitersIn(context: ReadContext, language: StringLanguage, place: StringPlace): void {
  const { owner, key, isEvaluated } = place;
  const value = (owner as { readonly [key: string | number]: Json })[key];
  if (typeof value === "string") checkDelimiters(context, language, place);
  if (typeof value !== "object" || value === null) return;
  for (const name of Array.isArray(value) ? value.keys() : Object.keys(value))
    checkDelimitersIn(context, language, { owner: value, key: name, isEvaluated });
}
