import { ParseErrorSignal } from "../cursor.ts";
import type { SourceRange } from "./syntax.ts";

/** The codes of JSONata's syntax errors. */
export type JsonataErrorCode = keyof typeof descriptions;

/** Throws the error with a code of JSONata. `text` is what the message quotes. */
export function failWith(code: JsonataErrorCode, { start, end }: SourceRange, text = ""): never {
  const [message, hint] = descriptions[code];
  throw new ParseErrorSignal({
    category: "syntax",
    from: start,
    to: end,
    code,
    message: message.replace("%", () => text),
    hint,
  });
}

/** Throws the error for a limit of Waybill. */
export function failLimit({ start, end }: SourceRange, message: string): never {
  throw new ParseErrorSignal({ category: "limit", from: start, to: end, message });
}

const descriptions = {
  S0101: ["This string has no closing quote."],
  S0102: ["The number % is out of range."],
  S0103: ["The escape sequence `\\%` is not valid.", "Write `\\\\` for a backslash."],
  S0104: ["`\\u` must be followed by four hexadecimal digits."],
  S0105: ["This quoted name has no closing back-tick."],
  S0106: ["This comment is not closed.", "Write `*/` at its end."],
  S0201: ["`%` is not expected here."],
  S0202: ["`%`."],
  S0203: ["`%` is missing at the end of the expression."],
  S0204: ["`%` is not an operator.", "Write `$not(…)` for a negation, `!=` for an inequality."],
  S0207: ["The expression ends where an operand is expected."],
  S0208: ["The parameters of a function must be variables.", "Write `$` before the name."],
  S0209: ["A predicate cannot follow a grouping."],
  S0210: ["A step can only have one grouping."],
  S0211: ["`%` is not expected where an operand must begin."],
  S0212: ["The left side of `:=` must be a variable.", "Write `$` before the name."],
  S0213: ["The literal % cannot be a step of a path."],
  S0214: ["The right side of `%` must be a variable.", "Write `$` before the name."],
  S0215: ["`@` must precede the predicates of its step."],
  S0216: ["`@` must precede `^(…)`."],
  S0217: ["`%` has no containing object here."],
  S0301: ["A regular expression cannot be empty."],
  S0302: ["This regular expression has no closing slash."],
  S0303: ["This regular expression is not valid: %"],
  S0401: ["Only arrays and functions have type parameters."],
  S0402: ["A choice of types cannot contain type parameters."],
  S0403: ["This signature is not valid."],
} as const satisfies { readonly [code: string]: readonly [message: string, hint?: string] };
