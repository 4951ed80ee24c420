import { expressionDiagnostic } from "../../diagnostics/data.ts";
import { unknownFunction } from "../../diagnostics/flow.ts";
import {
  access,
  binary,
  bind,
  call,
  childrenOf,
  conditional,
  EvaluationError,
  type Expression,
  effectsOf,
  evaluateAll,
  isParseError,
  literal,
  outputs,
  parseJsonPath,
  readJq,
  simplify,
  substitute,
  variable,
  withChildren,
} from "../../expressions/index.ts";
import { isObject, type Json, own } from "../../json.ts";
import { withFix } from "../../text/diagnostics.ts";
import { quoteLike } from "../../text/fix.ts";
import { truncate } from "../../text/messages.ts";
import { circularFunction } from "../shared/diagnostics/kinds.ts";
import { bindInput } from "../shared/jq.ts";
import { jqAt, programIn, singleOutput, valueWith } from "../shared/jq-text.ts";
import { selected, spanOf } from "../shared/properties.ts";
import { type Context, data } from "./context.ts";
import {
  bareExpressions,
  notEvaluated,
  severalOutputs,
  unavailableVariable,
  unclosedExpression,
  unknownName,
  wordAsExpression,
} from "./diagnostics/kinds.ts";

/** What an expression sees. */
export interface ExpressionScope {
  /** `.`; default: the data of the state. */
  readonly input?: Expression | undefined;
  /** Other variables, such as the element of an iteration. */
  readonly locals?: ReadonlyMap<string, Expression> | undefined;
  /** The result of the action before, for SonataFlow. */
  readonly previous?: Expression | undefined;
  /** Binds a secret; undefined where secrets may not be read. */
  readonly secret?: ((id: string, key: string) => Expression) | undefined;
}

/** The value of the expression in `owner[key]`, bare or in `${ … }`. */
export function expressionAt(
  context: Context,
  owner: object,
  key: string | number,
  scope: ExpressionScope = {},
): Expression {
  const text = stringAt(owner, key);
  const wrapped = programIn(text);
  if (!wrapped && /^\s*\$\{/.test(text)) return unclosed(context, owner, key);
  if (!wrapped && context.dialect === "spec" && !isJsonPath(context) && !context.found.hasBareExpression) {
    context.found.hasBareExpression = true;
    context.report(bareExpressions(spanOf(context, owner, key), {}));
  }
  return evaluateAt(context, owner, key, wrapped ?? { text, from: 0 }, scope);
}

/** The condition in `owner[key]`: neither false nor null. */
export function conditionAt(context: Context, owner: object, key: string, scope: ExpressionScope = {}): Expression {
  if (isJsonPath(context)) {
    const path = jsonPathAt(context, owner, key, programIn(stringAt(owner, key))?.text ?? stringAt(owner, key), scope);
    return path ? call("exists", path.query) : literal(false);
  }
  const value = expressionAt(context, owner, key, scope);
  if (value.kind === "literal") return literal(value.value !== false && value.value !== null);
  return effectsOf(value).type === "boolean" ? value : conditional(value, literal(true), literal(false));
}

/** The value in `owner[key]`, whose strings in `${ … }` are evaluated; in SonataFlow, other strings if they are jq. */
export const templateAt = (context: Context, owner: object, key: string, scope: ExpressionScope = {}): Expression =>
  simplify(valueWith(owner, key, (part, name) => stringOrValue(context, part, name, scope)));

/** The path in `owner[key]`, such as `.a.b` or `${ .a[0] }`; undefined for anything else. */
export function pathOf(owner: object, key: string): Expression | undefined {
  const text = stringAt(owner, key);
  const program = readJq(programIn(text)?.text ?? text, { variables: [] });
  return "expression" in program && isPath(program.expression) ? program.expression : undefined;
}

/** The id of the run. */
export const runId: Expression = variable("runId");

function isPath(expression: Expression): boolean {
  if (expression.kind === "identity") return true;
  if (expression.kind !== "access" || expression.key.kind !== "literal") return false;
  return ["string", "number"].includes(typeof expression.key.value) && isPath(expression.source);
}

const isJsonPath = ({ definition }: Context): boolean => definition.expressionLang?.toLowerCase() === "jsonpath";

const stringAt = (owner: object, key: string | number): string =>
  String((owner as { readonly [key: string | number]: unknown })[key]);

function unclosed(context: Context, owner: object, key: string | number): Expression {
  context.report(unclosedExpression(spanOf(context, owner, key), {}));
  return literal(null);
}

const looksLikeJq = /^\s*(?:[."]|\$(?!\{))/;

function stringOrValue(context: Context, owner: object, key: string | number, scope: ExpressionScope): Expression {
  const text = stringAt(owner, key);
  const wrapped = programIn(text);
  if (wrapped) return evaluateAt(context, owner, key, wrapped, scope);
  if (/^\s*\$\{[^}]*$/.test(text)) return unclosed(context, owner, key);
  if (isJsonPath(context)) {
    const isRead = context.dialect === "sonataflow" ? /^\s*\$[.[]/.test(text) : /^\s*\{\{[\s\S]*\}\}\s*$/.test(text);
    return isRead ? evaluateAt(context, owner, key, { text, from: 0 }, scope) : literal(text);
  }
  const program = readJq(text, { variables: variablesOf(scope) });
  if (!("expression" in program) || text.trim() === "") return literal(text);
  const span = spanOf(context, owner, key);
  if (context.dialect === "spec") {
    const fixed = `\${ ${text.trim()} }`;
    if (looksLikeJq.test(text))
      context.report(
        withFix(
          notEvaluated(span, { text, hint: `Write \`${truncate(fixed)}\` for its value.` }),
          quoteLike(span, fixed),
        ),
      );
    return literal(text);
  }
  if (/^\s*\w+\s*$/.test(text) && !/^\s*(?:-?\d|null|true|false)/.test(text)) {
    if (!succeedsOnObject(program.expression)) return literal(text);
    context.report(wordAsExpression(span, { word: text.trim() }));
  }
  return evaluateAt(context, owner, key, { text, from: 0 }, scope);
}

function succeedsOnObject(expression: Expression): boolean {
  try {
    return evaluateAll(expression, { input: {}, variables: new Map(), budget: { left: 10_000 } }).length > 0;
  } catch (error) {
    if (error instanceof EvaluationError) return false;
    throw error;
  }
}

const variablesOf = ({ locals }: ExpressionScope): readonly string[] => [
  "CONST",
  "SECRETS",
  "SECRET",
  "WORKFLOW",
  ...(locals?.keys() ?? []),
];

interface ProgramText {
  readonly text: string;
  readonly from: number;
}

function evaluateAt(
  context: Context,
  owner: object,
  key: string | number,
  program: ProgramText,
  scope: ExpressionScope,
  open: readonly string[] = [],
): Expression {
  if (isJsonPath(context)) {
    const path = jsonPathAt(context, owner, key, program.text, scope);
    return path ? selected(path) : literal(null);
  }
  const [, named] = /^\s*fn:\s*([\s\S]*?)\s*$/.exec(program.text) ?? [];
  if (named !== undefined) return functionValue(context, owner, key, named, scope, open);
  const expression = jqAt(context, owner, key, program, variablesOf(scope));
  if (!expression) return literal(null);
  const resolved = resolveNames(context, owner, key, expression, scope);
  if (outputs(resolved) === "many" && context.dialect === "spec")
    context.report(severalOutputs(spanOf(context, owner, key), {}));
  const single = singleOutput(resolved, context.dialect === "spec" ? "first" : "array");
  return simplify(bindInput(single, { value: scope.input ?? data }));
}

/** The value of the expression function `name`, where it is referred to. */
export function functionValue(
  context: Context,
  owner: object,
  key: string | number,
  name: string,
  scope: ExpressionScope,
  open: readonly string[] = [],
): Expression {
  const definition = context.functions.get(name);
  const span = spanOf(context, owner, key);
  if (definition?.type !== "expression" || definition.operation === undefined) {
    const known = [...context.functions.values()].filter(({ type }) => type === "expression").map((each) => each.name);
    context.report(unknownFunction(span, { name, known, under: "functions" }));
    return literal(null);
  }
  if (open.includes(name)) {
    context.report(circularFunction(span, { cycle: [...open.slice(open.indexOf(name)), name] }));
    return literal(null);
  }
  const text = definition.operation;
  return evaluateAt(context, definition, "operation", programIn(text) ?? { text, from: 0 }, scope, [...open, name]);
}

function jsonPathAt(context: Context, owner: object, key: string | number, text: string, scope: ExpressionScope) {
  const [, inner = text] = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(text) ?? [];
  const path = parseJsonPath(inner.trim(), scope.input ?? data);
  if (!isParseError(path)) return path;
  context.report(expressionDiagnostic(spanOf(context, owner, key), path, "path"));
  return undefined;
}

/** Replaces `$CONST.x`, `$SECRETS.NAME`, `$WORKFLOW.id` and the like by their values. */
function resolveNames(
  context: Context,
  owner: object,
  key: string | number,
  expression: Expression,
  scope: ExpressionScope,
): Expression {
  const locals = scope.locals ?? new Map<string, Expression>();
  const resolve = (each: Expression): Expression => {
    const chain = chainOf(each);
    if (chain && !locals.has(chain.variable)) {
      const found = namedValue(context, owner, key, chain, scope);
      if (found) return found;
    }
    const parts = childrenOf(each).map((child) => resolve(child.expression));
    return withChildren(each, parts);
  };
  return substitute(resolve(expression), locals);
}

interface NameChain {
  readonly variable: string;
  readonly names: readonly string[];
}

function chainOf(expression: Expression): NameChain | undefined {
  if (expression.kind === "variable") return { variable: expression.name, names: [] };
  if (expression.kind !== "access" || expression.key.kind !== "literal") return undefined;
  const { value } = expression.key;
  const chain = typeof value === "string" ? chainOf(expression.source) : undefined;
  return chain && { ...chain, names: [...chain.names, value as string] };
}

function namedValue(
  context: Context,
  owner: object,
  key: string | number,
  { variable: name, names }: NameChain,
  scope: ExpressionScope,
): Expression | undefined {
  const span = spanOf(context, owner, key);
  switch (name) {
    case "CONST": {
      let value: Json | undefined = context.constants;
      for (const each of names) value = isObject(value) ? own(value, each) : undefined;
      if (value !== undefined) return literal(value);
      context.report(
        unknownName(span, {
          noun: "constant",
          name: names.join("."),
          known: Object.keys(context.constants),
          under: "constants",
        }),
      );
      return literal(null);
    }
    case "SECRETS":
    case "SECRET": {
      const [id, part = "value", ...rest] = names;
      if (name === "SECRET" && context.dialect === "spec")
        context.report(unavailableVariable(span, { name: `$${name}`, hint: sonataflowHint }));
      else if (id === undefined || !scope.secret)
        context.report(
          unavailableVariable(span, {
            name: `$${name}`,
            hint: "Secrets can be read only in the arguments of functions.",
          }),
        );
      else if (name === "SECRETS" && context.secrets && !context.secrets.has(id))
        context.report(unknownName(span, { noun: "secret", name: id, known: context.secrets, under: "secrets" }));
      else return rest.reduce<Expression>((value, each) => access(value, literal(each)), scope.secret(id, part));
      return literal(null);
    }
    case "WORKFLOW":
      return workflowValue(context, span, names, scope);
    default:
      return undefined;
  }
}

const sonataflowHint = "SonataFlow has it: set the option `dialect=sonataflow`.";

function workflowValue(
  context: Context,
  span: ReturnType<typeof spanOf>,
  [name = "", ...rest]: readonly string[],
  { previous }: ExpressionScope,
): Expression {
  const { definition, id } = context;
  const known: { readonly [name: string]: () => Expression } = {
    instanceId: () => {
      context.found.readsRunId = true;
      return runId;
    },
    id: () => literal(id),
    name: () => literal(definition.name ?? id),
    version: () => literal(definition.version ?? ""),
    prevActionResult: () => previous ?? literal(null),
  };
  const build = own(known, name);
  if (context.dialect === "spec" || !build) {
    context.report(unavailableVariable(span, { name: `$WORKFLOW.${name}`, hint: build && sonataflowHint }));
    return literal(null);
  }
  return rest.reduce<Expression>((value, each) => access(value, literal(each)), build());
}

/** A value, or `otherwise` where it is null. */
export const unlessNull = (value: Expression, otherwise: Expression): Expression =>
  bind(
    "selected",
    value,
    conditional(binary("==", variable("selected"), literal(null)), otherwise, variable("selected")),
  );
