import {
  canFail,
  compileJavaScript,
  type Expression,
  freeVariables,
  isRefusal,
  outputs,
} from "../../../src/expressions/index.ts";
import { type JsExpression as Code, js, type Statement } from "../../../src/js-ast/index.ts";
import type { Json } from "../../../src/json.ts";
import { unusedValue } from "../../../src/readable/use.ts";
import { writeOne } from "../../../src/readable/write.ts";
import { noLines, type Scope, type Written, written } from "../../../src/readable/written.ts";
import { alternatives, any } from "../../../src/types/index.ts";
import { isWrapped } from "../helpers/values.ts";
import type { FlowContext } from "./context.ts";
import type { Doing, Program } from "./state-builder.ts";

/** A function of a composition that is being written. */
export interface Writing {
  readonly context: FlowContext;
  readonly lines: Statement[];
  readonly helpers: Set<string>;
  readonly scope: Scope;
  canFail: boolean;
}

/** The one parameter of all functions. */
export const params: Code = js.name("params");

/**
 * A function without statements, in which variables are called by their symbols, and what is given besides as it says. `step`: where they are as they are
 * when that begins.
 */
export function beginProgram(
  context: FlowContext,
  step?: string,
  given: ReadonlyMap<string, Written> = new Map(),
): Writing {
  const known = step === undefined ? undefined : context.proven.get(step);
  const helpers = new Set<string>();
  const lines = noLines(context.taken);
  const scope: Scope = {
    lines,
    isUntyped: true,
    variable(name) {
      const value = given.get(name);
      if (value) return value;
      const symbol = context.symbols.get(name);
      if (symbol === undefined) return undefined;
      if (context.counters.has(name))
        return written(js.name(symbol), { isCount: true, type: "number", isPresent: true });
      const kinds = new Set(alternatives(known?.get(name) ?? any).map(({ kind }) => kind));
      const isPresent = kinds.size > 0 && !kinds.has("null");
      const type = kinds.size === 1 && kinds.has("object") ? "object" : undefined;
      return written(js.name(symbol), { use: unusedValue(), isPresent, type });
    },
    helper(name) {
      helpers.add(name);
      return js.name(name);
    },
  };
  return { context, lines: lines.statements, helpers, scope, canFail: false };
}

/** The value of an expression, as code: what has no readable form is computed by a function within the function. */
export function codeOf(writing: Writing, expression: Expression): Written {
  writing.canFail ||= canFail(expression);
  return writeOne(expression, writing.scope) ?? computed(writing, expression);
}

/** `compute(null, order)`, where `compute` is declared before. */
function computed({ context, scope, lines, helpers }: Writing, expression: Expression): Written {
  const names = scope.lines!.names;
  let name = "compute";
  for (let i = 2; names.has(name); i++) name = `compute${i}`;
  names.add(name);
  const variables = [...freeVariables(expression)].sort();
  const program = compileJavaScript(expression, { name, variables });
  if (isRefusal(program)) {
    context.refuse(program.span ?? expression.span ?? context.workflow.span, `this expression: ${program.refused}`);
    return written(js.literal(null));
  }
  for (const helper of program.helpers) helpers.add(helper);
  lines.push(...program.statements);
  const values = variables.map((variable) => scope.variable(variable)?.code ?? js.literal(null));
  const call = js.call(name, [js.literal(null), ...values]);
  return written(outputs(expression) === "one" ? call : js.element(call, js.literal(0)));
}

/** A call of a function of our own. */
export function helped({ scope }: Writing, name: string, args: readonly Code[]): Code {
  return js.call(scope.helper(name), args);
}

/** The function with what it gives. */
export const programOf = ({ lines, helpers, canFail }: Writing, result?: Code): Program => ({
  lines: [...lines],
  result,
  helpers: new Set(helpers),
  canFail,
});

/** The state of it. */
export const finished = (writing: Writing, result?: Code): Doing => ({
  kind: "function",
  program: programOf(writing, result),
});

/** What gives params: a constant, where they are one. */
export function giving(writing: Writing, result: Code): Doing {
  const constant = writing.lines.length === 0 ? constantOf(result) : undefined;
  return constant === undefined ? finished(writing, result) : { kind: "value", value: constant.value };
}

/** The value of a tree that is a constant. */
export function constantOf(code: Code): { readonly value: Json } | undefined {
  switch (code.kind) {
    case "literal":
      return typeof code.value === "number" && (!Number.isFinite(code.value) || Object.is(code.value, -0))
        ? undefined
        : { value: code.value };
    case "array": {
      const values = code.elements.map((each) => (each.kind === "spread" ? undefined : constantOf(each)));
      return values.every((each) => each !== undefined) ? { value: values.map(({ value }) => value) } : undefined;
    }
    case "object": {
      const entries: [string, Json][] = [];
      for (const member of code.members) {
        const value =
          member.kind === "property" && typeof member.key === "string" ? constantOf(member.value) : undefined;
        if (!value || member.kind !== "property") return undefined;
        entries.push([member.key as string, value.value]);
      }
      return { value: Object.fromEntries(entries) };
    }
    default:
      return undefined;
  }
}

/** A value as it crosses the platform: in an object of its own, where it may be none that crosses as it is. */
export function carried(writing: Writing, value: Written): Code {
  const constant = constantOf(value.code);
  if (constant) return isWrapped(constant.value) ? js.record({ value: value.code }) : value.code;
  if (isPlainObject(value.code)) return value.code;
  if (value.type !== undefined && value.type !== "object") return js.record({ value: value.code });
  return helped(writing, "carried", [value.code]);
}

/** Whether a tree makes an object that crosses as it is: by its members. */
export function isPlainObject(code: Code): boolean {
  if (code.kind !== "object") return false;
  const keys = code.members.map((member) => (member.kind === "property" ? member.key : undefined));
  return (
    keys.every((key) => typeof key === "string" && !reserved.has(key)) && !(keys.length === 1 && keys[0] === "value")
  );
}

/** The members that the platform and conductors read themselves. */
const reserved: ReadonlySet<string> = new Set(["error", "$waybill", "$resume"]);

/** Gives variables values that are all computed before: `total = a + b;`, `[a, b] = [b, a];` */
export function assigned(
  writing: Writing,
  values: readonly { readonly variable: string; readonly value: Expression }[],
): void {
  const kept = values.filter(({ variable }) => writing.context.symbols.has(variable));
  const isApart = kept.every(({ value }, i) =>
    kept.slice(0, i).every(({ variable }) => !freeVariables(value).has(variable)),
  );
  const target = (variable: string) => js.name(writing.context.symbols.get(variable)!);
  const unread = values.filter(({ variable, value }) => !writing.context.symbols.has(variable) && canFail(value));
  for (const { value } of unread) writing.lines.push(js.expressionStatement(codeOf(writing, value).code));
  if (isApart) {
    for (const { variable, value } of kept) {
      const code = codeOf(writing, value).code;
      writing.lines.push(js.assign(target(variable), code));
    }
    return;
  }
  const codes = kept.map(({ value }) => codeOf(writing, value).code);
  const targets = { kind: "arrayPattern", elements: kept.map(({ variable }) => target(variable)) } as const;
  writing.lines.push(js.assign(targets, js.array(codes)));
}
