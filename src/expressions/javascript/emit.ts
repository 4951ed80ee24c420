import { assertNever } from "../../json.ts";
import type { Expression } from "../core/ast.ts";
import { emitAccess, emitIterate, emitSlice } from "./access.ts";
import { emitCall } from "./calls.ts";
import { emitAlternative, emitComma, emitConditional, emitLogic, emitTry } from "./choices.ts";
import { codeOf } from "./code.ts";
import { emitComputed, tellsPaths } from "./computed.ts";
import { emitFold } from "./folds.ts";
import { emitApply, emitDefine } from "./functions.ts";
import { bound, boundPlace, type Sink, sinkOf } from "./place.ts";
import { isPlain, takesDotFirst } from "./plain.ts";
import { emitQuery } from "./query.ts";
import { emitRecurse } from "./recurse.ts";
import { refuse } from "./refusal.ts";
import { find, isTracked, type Scope, withDot, withoutPath, withVariable } from "./scope.ts";
import { isAtom } from "./text.ts";
import { emitPath, emitUpdate } from "./updates.ts";
import { emitArray, emitBinary, emitInterpolation, emitObject } from "./values.ts";
import { block, exitOf, fresh, leave, type Site, type Writer } from "./writer.ts";

/** Statements that compute an expression in a scope, with those that a sink makes of each output. */
export function emit(expression: Expression, scope: Scope, site: Site, sink: Sink): string {
  if (isTracked(scope) && !tellsPaths(expression)) return emitComputed(expression, scope, site, sink);
  if (!isTracked(scope) && isPlain(expression)) return sink.write({ value: codeOf(expression, scope) }, site);
  switch (expression.kind) {
    case "identity":
      return sink.write(scope.dot, site);
    case "array":
      return emitArray(expression, scope, site, sink);
    case "object":
      return emitObject(expression, scope, site, sink);
    case "binary":
      return emitBinary(expression, scope, site, sink);
    case "interpolation":
      return emitInterpolation(expression, scope, site, sink);
    case "query":
      return emitQuery(expression, scope, site, sink);
    case "logic":
      return emitLogic(expression, scope, site, sink);
    case "literal":
    case "variable":
      return sink.write({ value: codeOf(expression, scope) }, site);
    default:
      return emitFurther(expression, scope, site, sink);
  }
}

type Further = Exclude<
  Expression,
  { kind: "identity" | "array" | "object" | "binary" | "interpolation" | "query" | "logic" | "literal" | "variable" }
>;

function emitFurther(expression: Further, scope: Scope, site: Site, sink: Sink): string {
  switch (expression.kind) {
    case "access":
      return emitAccess(expression, scope, site, sink);
    case "slice":
      return emitSlice(expression, scope, site, sink);
    case "iterate":
      return emitIterate(expression, scope, site, sink);
    case "recurse":
      return emitRecurse(expression, scope, site, sink);
    case "path":
      return emitPath(expression, scope, site, sink);
    case "update":
      return emitUpdate(expression, scope, site, sink);
    case "call":
      return emitCall(expression, scope, site, sink);
    case "define":
      return emitDefine(expression, scope, site, sink);
    case "apply":
      return emitApply(expression, scope, site, sink);
    default:
      return emitControl(expression, scope, site, sink);
  }
}

type Control = Exclude<
  Further,
  { kind: "access" | "slice" | "iterate" | "recurse" | "path" | "update" | "call" | "define" | "apply" }
>;

function emitControl(expression: Control, scope: Scope, site: Site, sink: Sink): string {
  switch (expression.kind) {
    case "pipe":
      return emitPipe(expression.left, expression.right, scope, site, sink);
    case "comma":
      return emitComma(expression, scope, site, sink);
    case "let":
      return emitLet(expression, scope, site, sink);
    case "if":
      return emitConditional(expression, scope, site, sink);
    case "alternative":
      return emitAlternative(expression, scope, site, sink);
    case "try":
      return emitTry(expression, scope, site, sink);
    case "reduce":
    case "foreach":
      return emitFold(expression, scope, site, sink);
    case "label":
      return emitLabel(expression, scope, site, sink);
    case "break":
      return leave(find(scope.labels, expression.name)!, site);
    default:
      return assertNever(expression);
  }
}

/** Statements for the only value of a plain expression, or for each output of another one, as atoms. */
export function emitBound(
  expression: Expression,
  scope: Scope,
  site: Site,
  use: (atom: string, site: Site) => string,
): string {
  return emit(
    expression,
    withoutPath(scope),
    site,
    sinkOf(({ value }, at) => bound(scope.writer, value, (atom) => use(atom, at))),
  );
}

function emitPipe(left: Expression, right: Expression, scope: Scope, site: Site, sink: Sink): string {
  const next: Sink = sinkOf((place, at) => {
    if (!place.path && takesDotFirst(right)) return emit(right, withDot(scope, place), at, sink);
    return boundPlace(scope.writer, place, (dot) => emit(right, withDot(scope, dot), at, sink));
  });
  return emit(left, scope, site, next);
}

/** jq takes values apart where paths are told, and fails there: the core has accesses to variables, or to what they are known to be, for it. */
function emitLet(
  { name, value, body }: Extract<Expression, { kind: "let" }>,
  scope: Scope,
  site: Site,
  sink: Sink,
): string {
  if (
    isTracked(scope) &&
    value.kind === "access" &&
    (value.source.kind === "variable" || value.source.kind === "literal")
  )
    refuse(value, "Taking a value apart inside of a path is not supported.");
  return emit(
    value,
    { ...withoutPath(scope), owned: undefined },
    site,
    sinkOf(({ value: code }, at) => {
      if (isAtom(code)) return emit(body, withVariable(scope, name, code), at, sink);
      const own = variableName(name, scope.writer);
      return `const ${own} = ${code};\n${emit(body, withVariable(scope, name, own), at, sink)}`;
    }),
  );
}

/** The name of a variable in the program: nothing but letters and digits of its own name are in it. */
export const variableName = (name: string, writer: Writer): string =>
  /^\w{1,40}$/.test(name) ? fresh(writer, `$${name}_`) : fresh(writer, "$");

function emitLabel(
  { name, body }: Extract<Expression, { kind: "label" }>,
  scope: Scope,
  site: Site,
  sink: Sink,
): string {
  const exit = exitOf(scope.writer, site);
  return block(exit, emit(body, { ...scope, labels: { name, meaning: exit, outer: scope.labels } }, site, sink));
}
