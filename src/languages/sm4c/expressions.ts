import { jqDiagnostic, precisionLoss } from "../../diagnostics/data.ts";
import { unknownFunction } from "../../diagnostics/flow.ts";
import {
  binary,
  bind,
  call,
  canFail,
  collect,
  conditional,
  type Expression,
  effectsOf,
  freeVariables,
  identity,
  inferTypeWithin,
  literal,
  object,
  outputs,
  readJq,
  simplify,
  variable,
} from "../../expressions/index.ts";
import { isObject, type Json } from "../../json.ts";
import { withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import type { Span } from "../../text/source.ts";
import { alternatives, any, anyObject, type Type } from "../../types/index.ts";
import { stringLanguages } from "../shared/delimiters.ts";
import { checkDelimitersIn } from "../shared/foreign.ts";
import { bindInput, bindVariable, ensureType, type JqBinding } from "../shared/jq.ts";
import { spanOf } from "../shared/properties.ts";
import { findTemplate } from "../shared/templates.ts";
import { type Context, dataBinding } from "./context.ts";
import {
  conditionWithoutSingleResult,
  missingBraceSpaces,
  missingBraces,
  unevaluatedArgument,
  unsafeHandlerResult,
  valueOutsideHandler,
} from "./diagnostics/kinds.ts";
import { findByName } from "./names.ts";

/** The values that jq can read: `.`, and `$value` in handlers. */
export interface JqScope {
  readonly input: JqBinding;
  readonly value?: JqBinding | undefined;
  readonly type?: Type | undefined;
  readonly stringFields?: ReadonlySet<string> | undefined;
}

/** The jq in `owner[key]`; several results, or none, become an array. */
export function valueAt(context: Context, owner: object, key: string, scope: JqScope): Expression {
  const program = programAt(context, owner, key, scope);
  return program ? simplify(bindScope(singleResult(program), scope)) : literal(null);
}

/** The condition in `owner[key]`; only `true` holds. */
export function conditionAt(context: Context, owner: object, key: string, scope: JqScope): Expression {
  const program = programAt(context, owner, key, scope);
  if (!program) return literal(false);
  if (outputs(program) === "none" || outputs(program) === "many")
    context.report(
      conditionWithoutSingleResult(spanOf(context, owner, key), { count: outputs(program) as "none" | "many" }),
    );
  if (isStringField(program, scope.stringFields)) return literal(false);
  const value = simplify(bindScope(singleResult(program), scope));
  if (value.kind === "literal") return literal(value.value === true);
  return effectsOf(value).type === "boolean" ? value : simplify(binary("==", value, literal(true)));
}

/** The data after the handler in `owner[key]`, which must return an object. */
export function handlerAt(
  context: Context,
  owner: object,
  key: string,
  value: JqBinding,
  type: Type = any,
): Expression {
  const scope: JqScope = { input: dataBinding, value, type };
  const program = programAt(context, owner, key, scope);
  if (!program) return dataBinding.value;
  const single = singleResult(program);
  const given = inferTypeWithin(single, { input: anyObject, variables: new Map([["value", type]]) });
  const kinds = new Set(alternatives(given).map(({ kind }) => kind));
  const canBe = kinds.has("object");
  const result = bindScope(single, scope);
  if (kinds.has("object") && kinds.size === 1) return simplify(result);
  if (!canBe || isProjection(program))
    context.report(unsafeHandlerResult(spanOf(context, owner, key), { isSure: !canBe }));
  const failing = raise("SM4C.NotAnObject", "A handler has to give an object.");
  return canBe || canFail(result) ? simplify(ensureType(result, "object", failing)) : failing;
}

/** The arguments of a call; strings of jq are evaluated. */
export function argumentsAt(
  context: Context,
  owner: { readonly arguments?: { readonly [name: string]: Json } },
  scope: JqScope,
): Expression {
  const given = owner.arguments ?? {};
  const entries = Object.entries(given).map(([name, value]) => {
    if (typeof value === "string" && braces.test(value)) return [name, valueAt(context, given, name, scope)] as const;
    if (holdsTemplate(value))
      context.report(unevaluatedArgument(spanOf(context, given, name), { isNested: typeof value !== "string" }));
    else
      checkDelimitersIn(context, stringLanguages.sm4c, {
        owner: given,
        key: name,
        isEvaluated: typeof value === "string",
      });
    return [name, literal(value)] as const;
  });
  return simplify(object(entries));
}

/** The value of a function of the type `expression`. */
export function evaluateFunction(context: Context, name: string, span: Span, scope: JqScope): Expression {
  const expression = functionNamed(context, name, span, scope.value !== undefined);
  return expression ? simplify(bindScope(singleResult(expression), scope)) : literal(null);
}

/** Fails with an error of the language. */
export const raise = (name: string, message: string): Expression => call("error", literal({ name, message }));

/** Reads functions of the type `expression`; reports cycles. */
export function readExpressionFunctions(
  context: Omit<Context, "expressions">,
  report: (owner: object, cycle: readonly string[]) => void,
): ReadonlyMap<string, Expression | undefined> {
  const read = new Map<string, Expression | undefined>();
  const open: string[] = [];
  const visit = (name: string): void => {
    const definition = context.functions.byName.get(name);
    if (definition?.type !== "expression" || read.has(name)) return;
    const from = open.indexOf(name);
    if (from >= 0) {
      report(definition, [...open.slice(from), name]);
      return;
    }
    open.push(name);
    const referred = referencedFunction(definition.operation);
    const other = referred === undefined ? undefined : findByName(context.functions, referred)?.name;
    if (other !== undefined) visit(other);
    open.pop();
    if (!read.has(name)) {
      read.set(name, undefined);
      read.set(
        name,
        programAt({ ...context, expressions: read }, definition, "operation", {
          input: dataBinding,
          value: dataBinding,
        }),
      );
    }
  };
  for (const { name } of context.functions.all) visit(name);
  return read;
}

const braces = /^\s*\$\{([\s\S]*)\}\s*$/;

const referencedFunction = (text: string): string | undefined =>
  /^\s*fn:\s*([\s\S]*?)\s*$/.exec(braces.exec(text)?.[1] ?? "")?.[1];

function programAt(context: Context, owner: object, key: string, { value }: JqScope): Expression | undefined {
  const text = String((owner as { readonly [key: string]: unknown })[key]);
  if (text.trim() === "") return identity;
  const span = spanOf(context, owner, key);
  const [, inner] = braces.exec(text) ?? [];
  if (inner === undefined) {
    context.report(withFix(missingBraces(span, { text }), quoteLike(span, `\${ ${text.trim()} }`)));
    return undefined;
  }
  if (inner.trim() !== "" && !/^\s[\s\S]*\s$/.test(inner))
    context.report(withFix(missingBraceSpaces(span, {}), quoteLike(span, `\${ ${inner.trim()} }`)));
  const name = referencedFunction(text);
  if (name !== undefined) return functionNamed(context, name, span, value !== undefined);
  if (inner.trim() === "") return identity;
  return jqAt(context, owner, key, { text: inner, from: text.indexOf("{") + 1 }, value !== undefined);
}

function functionNamed(
  { functions, expressions, report }: Context,
  name: string,
  span: Span,
  hasValue: boolean,
): Expression | undefined {
  const definition = findByName(functions, name);
  const known = functions.all.filter(({ type }) => type === "expression").map((each) => each.name);
  if (definition?.type !== "expression") {
    report(unknownFunction(span, { name, known, under: "functions" }));
    return undefined;
  }
  const expression = expressions.get(definition.name);
  if (!expression || hasValue || !freeVariables(expression).has("value")) return expression;
  report(valueOutsideHandler(span, { name: definition.name }));
  return undefined;
}

/** Finding a span takes time linear in its offset. */
const maxTracedLength = 4_000;

function jqAt(
  { document, report }: Context,
  owner: object,
  key: string,
  { text, from }: { readonly text: string; readonly from: number },
  hasValue: boolean,
): Expression | undefined {
  const spanAt = (start: number, end: number) => document.spanWithin(owner, key, from + start, from + end);
  const program = readJq(text, {
    variables: hasValue ? ["value"] : [],
    spanAt: from + text.length > maxTracedLength ? undefined : spanAt,
  });
  if (!("expression" in program)) {
    for (const fault of program) report(jqDiagnostic(spanAt(fault.from, fault.to), fault));
    return undefined;
  }
  for (const { from: start, to, message } of program.warnings) report(precisionLoss(spanAt(start, to), { message }));
  return program.expression;
}

function singleResult(expression: Expression): Expression {
  switch (outputs(expression)) {
    case "one":
      return expression;
    case "none":
      return collect(expression);
    default: {
      const results = variable("results");
      const isOne = binary("==", call("length", results), literal(1));
      const only: Expression = { kind: "access", source: results, key: literal(0), optional: false };
      return bind("results", collect(expression), conditional(isOne, only, results));
    }
  }
}

const bindScope = (expression: Expression, { input, value }: JqScope): Expression => {
  const scope = bindInput(expression, input);
  return value ? bindVariable(scope, "value", value) : scope;
};

const isStringField = (expression: Expression, texts: JqScope["stringFields"]): boolean =>
  expression.kind === "access" &&
  expression.source.kind === "identity" &&
  expression.key.kind === "literal" &&
  texts?.has(String(expression.key.value)) === true;

/** A part of a value is unlikely to be an object. */
function isProjection(expression: Expression): boolean {
  switch (expression.kind) {
    case "access":
    case "iterate":
    case "variable":
      return true;
    case "let":
      return isProjection(expression.body);
    case "pipe":
      return isProjection(expression.right);
    default:
      return false;
  }
}

function holdsTemplate(value: Json): boolean {
  if (typeof value === "string") return findTemplate(value) !== undefined;
  if (Array.isArray(value)) return value.some((each) => holdsTemplate(each as Json));
  return isObject(value) && Object.values(value).some(holdsTemplate);
}
