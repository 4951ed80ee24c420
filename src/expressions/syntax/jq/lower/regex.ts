import type { Json } from "../../../../json.ts";
import { canFail, outputs } from "../../../analysis/effects.ts";
import type { Expression } from "../../../core/ast.ts";
import { bind, call, collect, comma, identity, literal, pipe, variable } from "../../../core/build.ts";
import { simplify } from "../../../simplify/simplify.ts";
import { isParseError } from "../../cursor.ts";
import { type RegexTranslation, translateRegex } from "../../regex/translate.ts";
import type { Signature } from "../names.ts";
import type { Call, Jq } from "../syntax.ts";
import { lower } from "./query.ts";
import { freshName, type LoweringContext, type LoweringScope, reject } from "./scope.ts";

/** The functions that take a regular expression. */
export const regexFunctions: ReadonlySet<Signature> = new Set<Signature>([
  ...(["test/1", "test/2", "match/1", "match/2", "capture/1", "capture/2", "scan/1", "scan/2"] as const),
  ...(["split/2", "splits/1", "splits/2", "sub/2", "sub/3", "gsub/2", "gsub/3"] as const),
]);

/** Lowers a regular expression function; its pattern must be constant. */
export function lowerRegexCall(query: Call, scope: LoweringScope, lowering: LoweringContext): Expression {
  const [pattern, second, third] = query.args as readonly [Jq, Jq | undefined, Jq | undefined];
  const replaces = query.name === "sub" || query.name === "gsub";
  const flags = replaces ? third : second;
  const replacement = replaces ? lower(second!, scope, lowering) : undefined;
  const patterns = constantArguments(pattern, scope, lowering, "A regular expression");
  const flagSets = flags ? constantArguments(flags, scope, lowering, "A flag of a regular expression") : [null];
  const one = (regex: Json, given: Json) =>
    regexCall(query, translateArguments(pattern, regex, given, query.name), replacement, lowering);
  const calls = patterns.flatMap((regex) => flagSets.map((given) => one(regex, given)));
  return calls.length === 1 ? calls[0]! : comma(...calls);
}

/** The values of a constant argument; fails otherwise. `what` starts the message. */
export function constantArguments(
  argument: Jq,
  scope: LoweringScope,
  lowering: LoweringContext,
  what: string,
): readonly Json[] {
  const value = simplify(lower(argument, scope, lowering));
  const items = value.kind === "comma" ? value.items : [value];
  return items.map((item) => {
    if (item.kind === "literal") return item.value;
    const message = `${what} must be a constant.`;
    return reject("unsupported", argument, message, "Write it as a string literal without interpolation.");
  });
}

/** `[regex, flags]` passes both in one argument. */
function translateArguments(argument: Jq, given: Json, flags: Json, name: string): RegexTranslation {
  const [regex, own] = Array.isArray(given) ? (given as readonly Json[]) : [given, flags];
  if (typeof regex !== "string") return reject("unsupported", argument, "A regular expression must be a string.");
  if (own !== undefined && own !== null && typeof own !== "string")
    return reject("unsupported", argument, "The flags of a regular expression must be a string.");
  const always = ["gsub", "scan", "split", "splits"].includes(name) ? "g" : "";
  const translation = translateRegex(regex, `${always}${own ?? ""}`);
  return isParseError(translation)
    ? reject("unsupported", argument, translation.message, translation.hint)
    : translation;
}

function regexCall(
  query: Call,
  regex: RegexTranslation,
  replacement: Expression | undefined,
  lowering: LoweringContext,
): Expression {
  const pattern = literal(regex.pattern as unknown as Json);
  const matches = call("_match", identity, pattern, literal(regex.global));
  switch (query.name) {
    case "test":
      return call("_test", identity, pattern);
    case "match":
      return iterateOver(matches);
    case "capture":
      return pipe(iterateOver(matches), call("_captured", identity));
    case "scan":
      return pipe(iterateOver(matches), call("_scanned", identity));
    case "split":
      return call("_between", identity, matches);
    case "splits":
      return iterateOver(call("_between", identity, matches));
    default:
      return replaceCall(query, matches, replacement!, lowering);
  }
}

const iterateOver = (source: Expression): Expression => ({ kind: "iterate", source, optional: false });

/** This matters if one of several replacements fails. */
function replaceCall(query: Call, matches: Expression, replacement: Expression, lowering: LoweringContext): Expression {
  if (outputs(replacement) !== "one" && canFail(replacement))
    reject("unsupported", query.args[1]!, "A replacement with several outputs that may fail is not supported.");
  const name = freshName("matches", lowering);
  const replacements = collect(
    pipe(pipe(iterateOver(variable(name)), call("_captured", identity)), collect(replacement)),
  );
  return bind(name, matches, iterateOver(call("_replaced", identity, variable(name), replacements)));
}
