import { canFail, type Expression, freeVariables, outputs } from "../../../src/expressions/index.ts";
import type { Web, Webs } from "../../../src/flow/index.ts";
import { type Environment, withVariable } from "../expressions/environment.ts";
import type { Use } from "../expressions/use.ts";
import { writeOne } from "../expressions/write.ts";
import { atom, inside, isSimple, level, listed, type Written } from "../expressions/written.ts";
import { helperName } from "./helpers.ts";
import { isProvenPresent } from "./knowledge.ts";
import type { Module } from "./module.ts";
import { camelCase, type Names } from "./names.ts";

/** Where statements are written: the function of a scope. */
export interface Place {
  readonly module: Module;
  readonly webs: Webs;
  readonly names: Names;
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
  /** Its type in TypeScript. */
  readonly type: string;
  /** Whether it cannot be null. */
  readonly isPresent: boolean;
}

/** An expression as TypeScript, at a step; what has no readable form is computed by a function beside the module. */
export function expressionAt(place: Place, step: string, expression: Expression, extra?: Extra): Written {
  const environment = environmentAt(place, step, extra);
  return writeOne(expression, environment) ?? computed(place, step, expression, environment);
}

/**
 * The same where lines can stand before it: values that the expression gives names to become constants. With `calm`, only those that cannot fail, as
 * what follows may be done again, or its failure handled, without them.
 */
export function linesAndExpression(
  place: Place,
  step: string,
  expression: Expression,
  calm: boolean,
): { readonly lines: readonly string[]; readonly written: Written } {
  const lines: string[] = [];
  let environment = environmentAt(place, step);
  let rest = expression;
  for (; rest.kind === "let"; rest = rest.body) {
    const value = calm && canFail(rest.value) ? undefined : writeOne(rest.value, environment);
    if (!value) break;
    const meaning = isSimple(value.text)
      ? value
      : atom(place.names.fresh(camelCase(rest.name)), { use: value.use, type: value.type, isPresent: value.isPresent });
    if (meaning !== value) lines.push(`const ${meaning.text} = ${value.text};`);
    environment = withVariable(environment, rest.name, meaning);
  }
  const written = writeOne(rest, environment);
  return written ? { lines, written } : { lines: [], written: expressionAt(place, step, expression) };
}

/** The first value of a variable: over the variables of the scopes around. */
export function initialAt(place: Place, expression: Expression): Written {
  const { module, parameters } = place;
  const environment: Environment = {
    variable(name) {
      const variable = parameters.get(name);
      return variable ? atom(variable.name, { use: variable.use, isPresent: variable.isPresent }) : undefined;
    },
    helper: (name) => helperName(module, name),
  };
  return writeOne(expression, environment) ?? computed(place, `${place.prefix} begin`, expression, environment);
}

/** A condition at a step, which holds where the expression gives true. */
export function conditionAt(place: Place, step: string, expression: Expression, extra?: Extra): Written {
  const written = expressionAt(place, step, expression, extra);
  if (written.type === "boolean") return written;
  return { text: `${inside(written, level.equality)} === true`, level: level.equality, type: "boolean" };
}

/** Names that an expression knows besides the variables: `error`, `event`, `run`. */
export type Extra = ReadonlyMap<string, Written>;

/** What an expression at a step stands in. After an error, the variables may have changed in the step: then nothing is known of them. */
export function environmentAt(place: Place, step: string, extra?: Extra): Environment {
  return {
    variable(name) {
      const given = extra?.get(name);
      if (given) return given;
      const web = place.webs.read(step, name);
      const variable = web && place.variables.get(web.id);
      if (!variable) return undefined;
      const isPresent =
        variable.isPresent || (!extra?.has("error") && isProvenPresent(place.module.proven, step, name));
      return atom(variable.name, { use: variable.use, isPresent });
    },
    helper: (name) => helperName(place.module, name),
  };
}

/** A call of a function that computes an expression. */
function computed({ module }: Place, step: string, expression: Expression, environment: Environment): Written {
  const variables = [...freeVariables(expression)].sort();
  const texts = variables.map((variable) => environment.variable(variable)?.text ?? "null");
  const name = module.names.fresh(camelCase(step), camelCase(`${step} value`));
  module.compiled.push({ name, expression, variables, isOne: outputs(expression) === "one" });
  const call = listed(`${name}(`, texts, ")");
  return outputs(expression) === "one" ? atom(call) : atom(`${call}[0]!`);
}
