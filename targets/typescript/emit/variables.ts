import { pointsOf, type Web } from "../../../src/flow/index.ts";
import type { Scope, Step, VariableDeclaration } from "../../../src/ir/workflow.ts";
import { fitted } from "./assign.ts";
import { forkUse } from "./concurrent.ts";
import { arrayUse, receivedUse } from "./known.ts";
import { functionUse, imported, typeOfVariable, useOf } from "./module.ts";
import { camelCase } from "./names.ts";
import { initialAt, type Place, type Variable } from "./place.ts";

/** Declares the parameters of a function: what it is given, and the values that variables of the scopes around have on entry. */
export function declareParameters(
  { variables }: Scope,
  given: readonly string[],
  outer: readonly string[],
  place: Omit<Place, "parameters">,
): ReadonlyMap<string, Variable> {
  const declared = new Map<string, Variable>();
  for (const parameter of [...given, ...outer]) {
    const variable = { ...plainVariable(parameter, place), name: place.names.fresh(camelCase(parameter)) };
    declared.set(parameter, variable);
    const web = place.webs.initial(parameter);
    const isHidden =
      !given.includes(parameter) && variables.some(({ name, initial }) => name === parameter && !initial);
    if (web && !isHidden) place.variables.set(web.id, variable);
  }
  return declared;
}

/** The line that declares a variable, or gives one its first value. */
export interface Declaration {
  readonly name: string;
  readonly text: string;
}

/**
 * Declares the variables of a function that are not declared where they get their only value. A variable that begins with the value of one outside it
 * is that parameter.
 */
export function declareVariables(scope: Scope, place: Place): readonly Declaration[] {
  const steps = new Map([...pointsOf(scope)].map(([id, { step }]) => [id, step]));
  const lines: Declaration[] = [];
  for (const web of place.webs.all) {
    if (place.variables.has(web.id) || isOfHandler(web, steps, place)) continue;
    const variable = variableOf(web, steps, place);
    place.variables.set(web.id, variable);
    if (!place.constants.has(web.id))
      lines.push({ name: variable.name, text: declarationOf(web, variable, scope, place) });
  }
  return [...lines, ...scope.variables.flatMap((declaration) => changedParameter(declaration, place))];
}

/** Whether it is an error that only the block of its handler sees: that block names it. */
function isOfHandler(
  { id, definitions, variable }: Web,
  steps: ReadonlyMap<string, Step>,
  { constants }: Place,
): boolean {
  const [only] = definitions;
  const step = constants.has(id) && only !== undefined ? steps.get(only) : undefined;
  return step !== undefined && step.kind !== "assign" && !("bind" in step && step.bind === variable);
}

function declarationOf(web: Web, { name, type }: Variable, { variables }: Scope, place: Place): string {
  if (!web.isInitial) return `let ${name}!: ${type};`;
  const initial = variables.find((declaration) => declaration.name === web.variable)?.initial;
  if (!initial) return `let ${name} = null as Json as ${type};`;
  const written = initialAt(place, initial);
  return `let ${name}: ${type} = ${fitted(written, place.variables.get(web.id))};`;
}

/** A variable that has the name of a parameter, and begins with another value than that. */
function changedParameter({ name, initial }: VariableDeclaration, place: Place): readonly Declaration[] {
  const parameter = place.parameters.get(name);
  const web = place.webs.initial(name);
  if (!parameter || !initial || !web || place.variables.get(web.id) !== parameter) return [];
  const written = initialAt(place, initial);
  return written.text === parameter.name
    ? []
    : [{ name: parameter.name, text: `${parameter.name} = ${fitted(written, parameter)};` }];
}

/** The variable for a web: named after the function whose answer it is, or after the variable of the workflow. */
function variableOf(web: Web, steps: ReadonlyMap<string, Step>, place: Place): Variable {
  const [only, ...others] = web.definitions;
  const step = only === undefined || others.length > 0 || web.isInitial ? undefined : steps.get(only);
  const isConstant = place.constants.has(web.id);
  if (step?.kind === "receive" && step.bind === web.variable)
    return {
      name: fresh(place, web.variable),
      use: receivedUse,
      type: imported(place.module, "type Received"),
      isPresent: true,
    };
  if (step && isConstant && "bind" in step && step.bind === web.variable) return boundConstant(step, web, place);
  return { ...plainVariable(web.variable, place), name: fresh(place, web.variable) };
}

function boundConstant(step: Step, web: Web, place: Place): Variable {
  if (step.kind === "call") {
    const { name: called } = step.function;
    const name = place.names.fresh(camelCase(called), camelCase(`${called} answer`));
    return { name, use: functionUse(place.module, step.function.name).answer, type: "Json", isPresent: false };
  }
  const name = fresh(place, web.variable);
  if (step.kind === "fork") return { name, use: forkUse(step), type: "Json", isPresent: true };
  return { name, use: arrayUse, type: "Json", isPresent: false };
}

const fresh = ({ names }: Place, wanted: string): string => names.fresh(camelCase(wanted));

const plainVariable = (variable: string, { module }: Pick<Place, "module">): Omit<Variable, "name"> => ({
  use: useOf(module, variable),
  type: typeOfVariable(module, variable),
  isPresent: false,
});
