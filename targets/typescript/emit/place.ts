import type { Web, WebTable } from "../../../src/cfg/index.ts";
import { canFail, type Expression, freeVariables } from "../../../src/expressions/index.ts";
import { type Block, js, type TypeNode } from "../../../src/js-ast/index.ts";
import { camelCase } from "../../../src/readable/names.ts";
import type { Use } from "../../../src/readable/use.ts";
import { writeOne } from "../../../src/readable/write.ts";
import { isSimple, type Scope, truth, type Written, withVariable, written } from "../../../src/readable/written.ts";
import { helper, isHelperWord } from "../expressions/runtime.ts";
import { isProvenPresent } from "./known.ts";
import { compiledModule, type Module, typeOfVariable, useOf } from "./module.ts";
import type { NameScope } from "./names.ts";

/** Where statements are written: the function of a scope. */
export interface Place {
  readonly module: Module;
  readonly webs: WebTable;
  readonly names: NameScope;
  /** The webs that are declared where they are defined. */
  readonly constants: ReadonlySet<string>;
  /** The variables of the function, by their webs. */
  readonly variables: Map<string, Variable>;
  /** What the function is given: the variables of the scopes around as they are on entry. */
  readonly parameters: ReadonlyMap<string, Variable>;
  /** Begins the ids of the steps of this scope: what stands after it is the name of a step here. */
  readonly prefix: string;
  /** Whether a `return` ends the workflow itself. */
  readonly isOutermost: boolean;
  /** What a `return` of an attempt's body is for; undefined: nothing reads it. */
  readonly isAttempt?: { readonly bind: Web | undefined } | undefined;
}

/** A variable of the emitted program. */
export interface Variable {
  readonly name: string;
  readonly use: Use;
  readonly type: TypeNode;
  /** Whether it cannot be null. */
  readonly isPresent: boolean;
  /** Whether it counts: a number, and never NaN. */
  readonly isCount?: boolean;
}

/** A variable as every function of the module takes it, but for its name there. */
export const plainVariable = (variable: string, { module }: Pick<Place, "module">): Omit<Variable, "name"> => ({
  use: useOf(module, variable),
  type: typeOfVariable(module, variable),
  isPresent: false,
});

/** A variable, as expressions know it. */
export const read = ({ name, use, isPresent, isCount }: Variable, isSure = isPresent): Written =>
  written(js.name(name), { use, isPresent: isSure, isCount, type: isCount ? "number" : undefined });

/** An expression as TypeScript, at a step; what has no readable form is computed by a function beside the module. */
export function expressionAt(place: Place, step: string, expression: Expression, extra?: Extra): Written {
  const scope = scopeAt(place, step, extra);
  return writeOne(expression, scope) ?? computed(place.module, step, expression, scope);
}

/**
 * The same where statements can stand before it: values that the expression gives names to become constants. With `calm`, only those that cannot fail, as
 * what follows may be done again, or its failure handled, without them.
 */
export function linesAndExpression(
  place: Place,
  step: string,
  expression: Expression,
  calm: boolean,
): { readonly lines: Block; readonly written: Written } {
  const lines: Block[number][] = [];
  let scope = scopeAt(place, step);
  let rest = expression;
  for (; rest.kind === "let"; rest = rest.body) {
    const value = calm && canFail(rest.value) ? undefined : writeOne(rest.value, scope);
    if (!value) break;
    const meaning = isSimple(value.code)
      ? value
      : { ...value, code: js.name(place.names.fresh(camelCase(rest.name))), isOptional: false, sure: undefined };
    if (meaning !== value && meaning.code.kind === "identifier") lines.push(js.constant(meaning.code, value.code));
    scope = withVariable(scope, rest.name, meaning);
  }
  const made = writeOne(rest, scope);
  return made ? { lines, written: made } : { lines: [], written: expressionAt(place, step, expression) };
}

/** The first value of a variable: over the variables of the scopes around. */
export function initialAt(place: Place, expression: Expression): Written {
  const { module, parameters } = place;
  const scope: Scope = {
    variable(name) {
      const variable = parameters.get(name);
      return variable && read(variable);
    },
    helper,
  };
  return writeOne(expression, scope) ?? computed(module, `${place.prefix} begin`, expression, scope);
}

/** A condition at a step, which holds where the expression gives true. */
export function conditionAt(place: Place, step: string, expression: Expression, extra?: Extra): Written {
  const value = expressionAt(place, step, expression, extra);
  return value.type === "boolean" ? value : truth(js.binary(value.code, "===", js.literal(true)));
}

/** Names that an expression knows besides the variables: `error`, `event`, `run`. */
export type Extra = ReadonlyMap<string, Written>;

/** What an expression at a step stands in. After an error, the variables may have changed in the step: then nothing is known of them. */
export function scopeAt(place: Place, step: string, extra?: Extra): Scope {
  return {
    variable(name) {
      const given = extra?.get(name);
      if (given) return given;
      const web = place.webs.read(step, name);
      const variable = web && place.variables.get(web.id);
      if (!variable) return undefined;
      const isProven = !extra?.has("error") && isProvenPresent(place.module.proven, step, name);
      return read(variable, variable.isPresent || isProven);
    },
    helper,
  };
}

/** A call of a function beside the module that computes an expression: its first output. `isOptional`: there may be none. */
export function computed(
  module: Module,
  step: string,
  expression: Expression,
  scope: Scope,
  isOptional = false,
): Written {
  const variables = [...freeVariables(expression)].sort();
  const values = variables.map((variable) => scope.variable(variable)?.code ?? js.literal(null));
  const wanted = [camelCase(step), camelCase(`${step} value`), camelCase(`${step} computed`)] as const;
  const name = module.names.fresh(...(wanted.filter((word) => !isHelperWord(word)) as [string]));
  module.found.compiled.push({ name, expression, variables, isOptional });
  return written(js.call(js.imported(name, compiledModule(module)), values), {
    isOptional,
  });
}
