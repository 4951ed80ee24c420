import { jqFault, lostDigits } from "../../diagnostics/data.ts";
import {
  balanced,
  binary,
  bind,
  call,
  collect,
  comma,
  conditional,
  type Expression,
  effectsOf,
  type JqContext,
  literal,
  outputs,
  readJq,
  substitute,
  variable,
} from "../../expressions/index.ts";
import type { Json } from "../../json.ts";
import type { Span } from "../../text/source.ts";
import { bindInput, type JqBinding, memberOrNull } from "../shared/index.ts";
import type { Context } from "./context.ts";
import { foreignHole, lockboxHere, lockboxName, notJson, openHole, severalResults } from "./diagnostics/kinds.ts";
import { isUnclosed, type Piece, splitInterpolations } from "./interpolations.ts";

/** What the jq of a text is over. */
export interface JqScope {
  /** What `.` is: a variable, or something that gives one value. */
  readonly input: Expression;
  /** Whether `.` is a variable that surely holds an object: its members can then be had without asking. */
  readonly isObject?: boolean | undefined;
  /** What a member of `.` is, where that can be had by itself. */
  readonly member?: JqBinding["member"];
  /** What `$global` is. */
  readonly global: Expression;
  /** What `$counter` is; absent: there is none. */
  readonly counter?: Expression | undefined;
  /** What a secret is; absent: none may be read. */
  readonly secret?: ((name: SecretReference) => Expression) | undefined;
}

/** Which secret is read: the entry under a key of a version of it, the current one where none is said. */
export interface SecretReference {
  readonly id: string;
  readonly key: string;
  readonly version?: string | undefined;
}

/** The text in `owner[key]` with its holes filled: texts as they are, anything else as JSON. */
export function stringAt(context: Context, owner: object, key: string, scope: JqScope): Expression {
  const pieces = readPieces(context, owner, key, scope);
  return pieces ? concatenate(pieces) : literal("");
}

/** The value that the text in `owner[key]` gives: that of its hole, if it is nothing else, or what it says as JSON with its holes filled. */
export function jsonAt(context: Context, owner: object, key: string, scope: JqScope): Expression {
  const pieces = readPieces(context, owner, key, scope);
  if (!pieces) return literal({});
  const said = pieces.filter((piece) => typeof piece !== "string" || piece.trim() !== "");
  const [only, ...others] = said;
  if (typeof only === "object" && others.length === 0) return only;
  if (said.some((piece) => typeof piece === "object")) return call("fromjson", concatenate(pieces));
  const value = parseJson(pieces.join(""));
  if (value !== undefined) return literal(value);
  context.report(notJson(context.document.spanOf(owner, key), { key }));
  return literal({});
}

/** The condition in `owner[key]`, in jq, or in one hole; it holds for `true`, also as a text. */
export function conditionAt(context: Context, owner: object, key: string, scope: JqScope): Expression {
  const text = sourceAt(owner, key);
  const pieces = splitInterpolations(text.trim(), context.braces);
  const [only] = isUnclosed(pieces) || pieces.length !== 1 ? [] : pieces;
  const from = text.length - text.trimStart().length;
  const piece: Piece = only?.kind === "jq" ? { ...only, from: from + only.from } : { kind: "jq", text, from: 0 };
  const value = readInterpolation(context, owner, key, piece, scope);
  if (effectsOf(value).type === "boolean") return value;
  if (value.kind === "literal") return literal(value.value === true || value.value === "true");
  const is = (wanted: Json) => binary("==", variable("condition"), literal(wanted));
  return bind("condition", value, balanced("or", [is(true), is("true")]));
}

/** The name of the errors of texts that cannot be filled. */
export const templateError = "STEP_INVALID_TEMPLATE_EXPRESSION";

/** Fails with an error of the language. */
export const raise = (name: string, message: string): Expression => call("error", literal({ name, message }));

type TemplatePart = string | Expression;

const sourceAt = (owner: object, key: string): string => String((owner as { readonly [key: string]: unknown })[key]);

/** Undefined where a hole never closes, which is reported. */
function readPieces(context: Context, owner: object, key: string, scope: JqScope): readonly TemplatePart[] | undefined {
  const text = sourceAt(owner, key);
  const pieces = splitInterpolations(text, context.braces);
  const spanAt = (from: number, to: number): Span => context.document.spanWithin(owner, key, from, to);
  if (isUnclosed(pieces)) {
    const { openingOffset: opens } = pieces;
    context.report(openHole(spanAt(opens, opens + 2), { opening: text.slice(opens, opens + 2) }));
    return undefined;
  }
  if (!context.braces) warnOfForeignBraces(context, pieces, spanAt);
  return pieces.map((piece) =>
    piece.kind === "text" ? piece.text : readInterpolation(context, owner, key, piece, scope),
  );
}

/** Braces are text before version 0.2, and surely meant for a hole where jq stands in them. */
function warnOfForeignBraces(
  { report }: Context,
  pieces: readonly Piece[],
  spanAt: (from: number, to: number) => Span,
): void {
  for (const { kind, text, from } of pieces) {
    const found = kind === "text" ? /\{\{(\s*[.$][^{}]{0,200})\}\}/.exec(text.slice(0, 10_000)) : undefined;
    if (!found) continue;
    const at = from + found.index;
    report(foreignHole(spanAt(at, at + found[0].length), { template: found[0], meant: `\\(${found[1]})` }));
  }
}

/** Texts longer than this do not know the places of all parts of their jq: finding each takes longer the further on it is. */
const maxTracedLength = 4_000;

function readInterpolation(
  context: Context,
  owner: object,
  key: string,
  { text, from }: Piece,
  scope: JqScope,
): Expression {
  const { document, report } = context;
  const spanAt = (start: number, end: number): Span => document.spanWithin(owner, key, from + start, from + end);
  const program = readJq(text, {
    variables: scope.counter ? ["global", "counter"] : ["global"],
    functions: lockboxFunctions(scope, report, spanAt),
    spanAt: from + text.length > maxTracedLength ? undefined : spanAt,
  });
  if (!("expression" in program)) {
    for (const fault of program) report(jqFault(spanAt(fault.from, fault.to), fault));
    return literal(null);
  }
  for (const warning of program.warnings)
    report(lostDigits(spanAt(warning.from, warning.to), { message: warning.message }));
  const { expression } = program;
  const count = outputs(expression);
  if (count === "many" || count === "none")
    report(severalResults(spanAt(0, text.length), { count: count === "none" ? "none" : "many" }));
  const names = new Map([["global", scope.global], ...(scope.counter ? ([["counter", scope.counter]] as const) : [])]);
  const { member = scope.isObject ? memberOrNull : undefined } = scope;
  return bindInput(substitute(singleResult(expression), names), { value: scope.input, member });
}

/** The one output of an expression; without one, or with several, an error. */
function singleResult(expression: Expression): Expression {
  const failing = raise(templateError, "A template expression has to give one result.");
  switch (outputs(expression)) {
    case "one":
      return expression;
    case "optional":
    case "none":
      return call("first", comma(expression, failing));
    case "many": {
      const results = variable("results");
      const isOne = binary("==", call("length", results), literal(1));
      const only: Expression = { kind: "access", source: results, key: literal(0), optional: false };
      return bind("results", collect(expression), conditional(isOne, only, failing));
    }
  }
}

function concatenate(pieces: readonly TemplatePart[]): Expression {
  const parts = pieces.map((piece) => (typeof piece === "string" ? piece : call("tostring", piece)));
  const [only, ...others] = parts;
  if (only === undefined) return literal("");
  if (others.length === 0) return typeof only === "string" ? literal(only) : only;
  return { kind: "interpolation", parts };
}

/** `lockboxPayload("id"; "key"; "version")`: the name of a secret is written out. */
function lockboxFunctions(
  { secret }: JqScope,
  report: Context["report"],
  spanAt: (from: number, to: number) => Span,
): JqContext["functions"] {
  const make = (args: readonly Expression[], from: number, to: number): Expression => {
    const [id, key, version] = args.map((arg) => (arg.kind === "literal" ? arg.value : undefined));
    const isWritten = typeof id === "string" && typeof key === "string" && args.every(isStringLiteral);
    if (!isWritten) report(lockboxName(spanAt(from, to), {}));
    else if (!secret) report(lockboxHere(spanAt(from, to), {}));
    else return secret({ id, key, ...(typeof version === "string" ? { version } : {}) });
    return literal("");
  };
  return new Map([
    ["lockboxPayload/2", make],
    ["lockboxPayload/3", make],
  ]);
}

const isStringLiteral = (expression: Expression): boolean =>
  expression.kind === "literal" && typeof expression.value === "string";

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
