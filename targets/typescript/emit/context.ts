import type { Web, WebTable } from "../../../src/cfg/index.ts";
import {
  canFail,
  type Expression,
  effectsOf,
  equalExpressions,
  freeVariables,
} from "../../../src/expressions/index.ts";
import type { Use } from "../../../src/expressions/js/index.ts";
import {
  camelCase,
  isProvenPresent,
  isSimple,
  type PrintedExpression,
  printedExpression,
  type Scope,
  truth,
  withVariable,
  writeOne,
} from "../../../src/expressions/js/index.ts";
import { type Block, js, type TypeNode } from "../../../src/js-ast/index.ts";
import type { Type } from "../../../src/types/index.ts";
import { type ExpressionFunction, expressionModulePath, type Module, typeOfVariable, useOf } from "./module.ts";
import type { NameSpace } from "./names.ts";
import { helper, isHelperAlias } from "./runtime-imports.ts";

/** The state for lowering a scope to a function. */
export interface FunctionContext {
  readonly module: Module;
  readonly webs: WebTable;
  readonly names: NameSpace;
  readonly constants: ReadonlySet<string>;
  readonly variables: Map<string, LocalVariable>;
  /** The steps that set the pointer of the flow. */
  readonly pointing: ReadonlySet<string>;
  /** Outer variables, with their values on entry. */
  readonly parameters: ReadonlyMap<string, LocalVariable>;
  /** The common prefix of step ids, which names omit. */
  readonly prefix: string;
  /** Whether `return` ends the workflow. */
  readonly isOutermost: boolean;
  /** The enclosing attempt, and the variable of its result, if used. */
  readonly attempt?: { readonly bind: Web | undefined } | undefined;
}

/** A variable of the generated function. */
export interface LocalVariable {
  readonly name: string;
  readonly use: Use;
  readonly type: TypeNode;
  /** Whether it cannot be null. */
  readonly isPresent: boolean;
  /** Whether it is a number and never NaN. */
  readonly isCount?: boolean;
}

/** A workflow variable as all functions declare it. */
export const defaultVariable = (
  variable: string,
  { module }: Pick<FunctionContext, "module">,
): Omit<LocalVariable, "name"> => ({
  use: useOf(module, variable),
  type: typeOfVariable(module, variable),
  isPresent: false,
});

/** A reference to a variable. */
export const readVariable = (
  { name, use, isPresent, isCount }: LocalVariable,
  isSure = isPresent,
  proven?: Type,
): PrintedExpression =>
  printedExpression(js.name(name), { use, isPresent: isSure, isCount, type: isCount ? "number" : undefined, proven });

/** Prints an expression at a step, or a call of a compiled function if it has no readable form. */
export function printAt(
  context: FunctionContext,
  step: string,
  expression: Expression,
  extra?: ExtraVariables,
): PrintedExpression {
  const scope = scopeAt(context, step, extra);
  return writeOne(expression, scope) ?? callCompiled(context.module, step, expression, scope);
}

/**
 * Prints an expression with its `let` values as constants before it. `onlySafe`: except values that may fail, since the
 * rest may be retried or handled without them.
 */
export function printWithConstants(
  context: FunctionContext,
  step: string,
  expression: Expression,
  onlySafe: boolean,
): { readonly constants: Block; readonly expression: PrintedExpression } {
  const constants: Block[number][] = [];
  let scope = scopeAt(context, step);
  let rest = expression;
  for (; rest.kind === "let"; rest = rest.body) {
    const value = onlySafe && canFail(rest.value) ? undefined : writeOne(rest.value, scope);
    if (!value) break;
    const meaning = isSimple(value.code)
      ? value
      : { ...value, code: js.name(context.names.fresh(camelCase(rest.name))), isOptional: false, sure: undefined };
    if (meaning !== value && meaning.code.kind === "identifier") constants.push(js.constant(meaning.code, value.code));
    scope = withVariable(scope, rest.name, meaning);
  }
  const printed = writeOne(rest, scope);
  return printed
    ? { constants, expression: printed }
    : { constants: [], expression: printAt(context, step, expression) };
}

/** Prints an initial value in terms of the parameters. */
export function printInitial(context: FunctionContext, expression: Expression): PrintedExpression {
  const { module, parameters } = context;
  const scope: Scope = {
    variable(name) {
      const variable = parameters.get(name);
      return variable && readVariable(variable);
    },
    helper,
  };
  return writeOne(expression, scope) ?? callCompiled(module, `${context.prefix} begin`, expression, scope);
}

/** Prints a condition, which holds if it yields true. */
export function printCondition(
  context: FunctionContext,
  step: string,
  expression: Expression,
  extra?: ExtraVariables,
): PrintedExpression {
  const value = printAt(context, step, expression, extra);
  return value.type === "boolean" ? value : truth(js.binary(value.code, "===", js.literal(true)));
}

/** Other names in expressions: `error`, `event`, `run`. */
export type ExtraVariables = ReadonlyMap<string, PrintedExpression>;

/** The scope of an expression. After an error, nothing is proven, since the step may have changed variables. */
export function scopeAt(context: FunctionContext, step: string, extra?: ExtraVariables): Scope {
  return {
    variable(name) {
      const given = extra?.get(name);
      if (given) return given;
      const web = context.webs.read(step, name);
      const variable = web && context.variables.get(web.id);
      if (!variable) return undefined;
      const proven = extra?.has("error") ? undefined : context.module.proven.get(step)?.get(name);
      const isSure = variable.isPresent || isProvenPresent(proven);
      return readVariable(variable, isSure, isDeclared(web.id, name, context) ? proven : undefined);
    },
    helper,
  };
}

/** Whether members can be declared in the type of a variable: values of any type are bound to others. */
const isDeclared = (web: string, variable: string, { constants, module }: FunctionContext): boolean =>
  constants.has(web) || !module.bound.has(variable);

/** Whether a function computes an expression. */
const isSame = (other: ExpressionFunction, expression: Expression, isOptional: boolean): boolean =>
  other.isOptional === isOptional &&
  effectsOf(other.expression).weight.size === effectsOf(expression).weight.size &&
  equalExpressions(other.expression, expression);

/** Calls a compiled function. `isOptional`: it may have no output. */
export function callCompiled(
  module: Module,
  step: string,
  expression: Expression,
  scope: Scope,
  isOptional = false,
): PrintedExpression {
  const variables = [...freeVariables(expression)].sort();
  const values = variables.map((variable) => scope.variable(variable)?.code ?? js.literal(null));
  const same = module.parts.compiled.find((other) => isSame(other, expression, isOptional));
  if (same)
    return printedExpression(js.call(js.imported(same.name, expressionModulePath(module)), values), { isOptional });
  const wanted = [camelCase(step), camelCase(`${step} value`), camelCase(`${step} computed`)] as const;
  const name = module.names.fresh(...(wanted.filter((word) => !isHelperAlias(word)) as [string]));
  module.parts.compiled.push({ name, expression, variables, isOptional });
  return printedExpression(js.call(js.imported(name, expressionModulePath(module)), values), {
    isOptional,
  });
}
