import { jqDiagnostic, precisionLoss } from "../../diagnostics/data.ts";
import {
  balanced,
  binary,
  bind,
  call,
  collect,
  comma,
  concatenate,
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
import { stringLanguages } from "../shared/delimiters.ts";
import { checkDelimiters } from "../shared/foreign.ts";
import { bindInput, type JqBinding, memberOrNull } from "../shared/jq.ts";
import type { Context } from "./context.ts";
import {
  computedSecretName,
  invalidJson,
  literalInterpolation,
  misplacedSecret,
  severalResults,
  unclosedInterpolation,
  unsupportedInterpolation,
} from "./diagnostics/kinds.ts";
import { isUnclosed, type Piece, splitInterpolations } from "./interpolations.ts";

/** The values that jq can read. */
export interface JqScope {
  /** A variable, or an expression with exactly one result. */
  readonly input: Expression;
  readonly isObject?: boolean | undefined;
  readonly member?: JqBinding["member"];
  readonly global: Expression;
  /** Undefined outside of loops. */
  readonly counter?: Expression | undefined;
  /** Undefined if secrets are not allowed here. */
  readonly secret?: ((name: SecretReference, span: Span) => Expression) | undefined;
}

/** A secret's key and version. */
export interface SecretReference {
  readonly id: string;
  readonly key: string;
  readonly version?: string | undefined;
}

/** The string in `owner[key]`, interpolated; other values become JSON. */
export function stringAt(context: Context, owner: object, key: string, scope: JqScope): Expression {
  const pieces = readPieces(context, owner, key, scope);
  return pieces ? textOf(pieces) : literal("");
}

/** The string in `owner[key]`, which takes no interpolations. */
export function literalAt({ braces, document, report }: Context, owner: object, key: string): Expression {
  const text = sourceAt(owner, key);
  const pieces = splitInterpolations(text, braces);
  const from = isUnclosed(pieces) ? pieces.openingOffset + 2 : pieces.find(({ kind }) => kind === "jq")?.from;
  if (from !== undefined)
    report(
      literalInterpolation(document.spanWithin(owner, key, from - 2, from), { opening: text.slice(from - 2, from) }),
    );
  return literal(text);
}

/** The value in `owner[key]`: of a sole interpolation, or the parsed JSON. */
export function jsonAt(context: Context, owner: object, key: string, scope: JqScope): Expression {
  const pieces = readPieces(context, owner, key, scope);
  if (!pieces) return literal({});
  const said = pieces.filter((piece) => typeof piece !== "string" || piece.trim() !== "");
  const [only, ...others] = said;
  if (typeof only === "object" && others.length === 0) return only;
  if (said.some((piece) => typeof piece === "object")) return call("fromjson", textOf(pieces));
  const value = parseJson(pieces.join(""));
  if (value !== undefined) return literal(value);
  context.report(invalidJson(context.document.spanOf(owner, key), { key, braces: context.braces }));
  return literal({});
}

/** The condition in `owner[key]`; `true` and `"true"` hold. */
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

/** The error of a failing template. */
export const templateError = "STEP_INVALID_TEMPLATE_EXPRESSION";

/** Fails with an error of the language. */
export const raise = (name: string, message: string): Expression => call("error", literal({ name, message }));

type YawlTemplatePart = string | Expression;

const sourceAt = (owner: object, key: string): string => String((owner as { readonly [key: string]: unknown })[key]);

function readPieces(
  context: Context,
  owner: object,
  key: string,
  scope: JqScope,
): readonly YawlTemplatePart[] | undefined {
  const text = sourceAt(owner, key);
  const pieces = splitInterpolations(text, context.braces);
  const spanAt = (from: number, to: number): Span => context.document.spanWithin(owner, key, from, to);
  if (isUnclosed(pieces)) {
    const { openingOffset } = pieces;
    context.report(
      unclosedInterpolation(spanAt(openingOffset, openingOffset + 2), {
        opening: text.slice(openingOffset, openingOffset + 2),
      }),
    );
    return undefined;
  }
  if (!context.braces) warnOfForeignBraces(context, pieces, spanAt);
  const isOnlyText = pieces.every(({ kind }) => kind === "text");
  for (const piece of pieces)
    if (piece.kind === "text")
      checkDelimiters(context, stringLanguages.yawl, { owner, key, ...(isOnlyText ? {} : { piece }) });
  return pieces.map((piece) =>
    piece.kind === "text" ? piece.text : readInterpolation(context, owner, key, piece, scope),
  );
}

/** Before version 0.2, braces are plain text. */
function warnOfForeignBraces(
  { report }: Context,
  pieces: readonly Piece[],
  spanAt: (from: number, to: number) => Span,
): void {
  for (const { kind, text, from } of pieces) {
    const found = kind === "text" ? /\{\{(\s*[.$][^{}]{0,200})\}\}/.exec(text.slice(0, 10_000)) : undefined;
    if (!found) continue;
    const at = from + found.index;
    report(
      unsupportedInterpolation(spanAt(at, at + found[0].length), { template: found[0], meant: `\\(${found[1]})` }),
    );
  }
}

/** Finding a span takes time linear in its offset. */
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
  const isTraced = from + text.length <= maxTracedLength;
  const program = readJq(text, {
    variables: scope.counter ? ["global", "counter"] : ["global"],
    functions: lockboxFunctions(scope, report, isTraced ? spanAt : () => document.spanOf(owner, key)),
    spanAt: isTraced ? spanAt : undefined,
  });
  if (!("expression" in program)) {
    for (const fault of program) report(jqDiagnostic(spanAt(fault.from, fault.to), fault));
    return literal(null);
  }
  for (const warning of program.warnings)
    report(precisionLoss(spanAt(warning.from, warning.to), { message: warning.message }));
  const { expression } = program;
  const count = outputs(expression);
  if (count === "many" || count === "none")
    report(severalResults(spanAt(0, text.length), { count: count === "none" ? "none" : "many" }));
  const names = new Map([["global", scope.global], ...(scope.counter ? ([["counter", scope.counter]] as const) : [])]);
  const { member = scope.isObject ? memberOrNull : undefined } = scope;
  return bindInput(substitute(singleResult(expression), names), { value: scope.input, member });
}

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

const textOf = (pieces: readonly YawlTemplatePart[]): Expression =>
  concatenate(
    pieces.flatMap((piece) => {
      if (typeof piece !== "string") return call("tostring", piece);
      return piece === "" ? [] : literal(piece);
    }),
  );

function lockboxFunctions(
  { secret }: JqScope,
  report: Context["report"],
  spanAt: (from: number, to: number) => Span,
): JqContext["functions"] {
  const make = (args: readonly Expression[], from: number, to: number): Expression => {
    const [id, key, version] = args.map((arg) => (arg.kind === "literal" ? arg.value : undefined));
    const isWritten = typeof id === "string" && typeof key === "string" && args.every(isStringLiteral);
    if (!isWritten) report(computedSecretName(spanAt(from, to), {}));
    else if (!secret) report(misplacedSecret(spanAt(from, to), {}));
    else return secret({ id, key, ...(typeof version === "string" ? { version } : {}) }, spanAt(from, to));
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
