import { type Expression, equalExpressions, freeVariables, variable } from "../../../src/expressions/index.ts";
import { innerScopes } from "../../../src/ir/walk.ts";
import type { ForEach, Fork, Scope } from "../../../src/ir/workflow.ts";
import type { Json } from "../../../src/json.ts";
import { jsonataString, printItems } from "../jsonata/index.ts";
import type { Machine, State } from "../machine.ts";
import { isKept, openScope, type ScopeContext, unset } from "./context.ts";
import { gapSeconds } from "./effects.ts";
import {
  inputDocument,
  isProvided,
  provided,
  resolve,
  type Symbols,
  withValue,
  withValues,
  worth,
} from "./environment.ts";
import { environment, field, payload, single } from "./fields.ts";
import { outerReads } from "./liveness.ts";
import { lowerScope } from "./scope.ts";

/** Variables that inner scopes read have to be there before they begin: where they are not yet, a state before this one sets them. */
export function materialised(
  context: ScopeContext,
  key: string,
  step: Fork | ForEach,
  symbols: Symbols,
  make: (key: string, symbols: Symbols) => State,
): readonly State[] {
  const { names, machine, canonical } = context;
  const read = innerScopes(step).flatMap((scope) => [...outerReads(scope, machine.correlated), ...initialReads(scope)]);
  const missing = [...new Set(read)].filter(
    (name) => names.has(name) && name !== machine.workflow.input && !isKept(context, symbols, name),
  );
  if (missing.length === 0) return [make(key, symbols)];
  const assign = Object.fromEntries(
    missing.map((name) => [names.get(name)!, field(worth(symbols, name) ?? unset, context)]),
  );
  const set = withValues(symbols, new Map(missing.map((name) => [name, worth(canonical, name)!])));
  const inside = `${key}/work`;
  return [{ key, type: "Pass", step: step.id, fields: [], exit: { next: inside, assign } }, make(inside, set)];
}

const initialReads = ({ variables }: Scope): readonly string[] =>
  variables.flatMap(({ initial }) => (initial ? [...freeVariables(initial)] : []));

/** The branches of a Parallel, and what they get as input when that is not the input of the state. */
export function branchesOf(
  context: ScopeContext,
  step: Fork,
  symbols: Symbols,
): { readonly argument: Json | undefined; readonly branches: readonly Machine[] } {
  const document = context.machine.workflow.input;
  const firsts = step.branches.map(({ scope }) => initialOf(scope, document) ?? variable(document));
  const common = firsts.every((first) => equalExpressions(first, firsts[0]!)) ? firsts[0]! : variable(document);
  const argument = resolve(common, symbols);
  const branches = step.branches.map(({ scope }, i) => {
    const given = equalExpressions(firsts[i]!, common);
    return inner(context, scope, given ? common : undefined, new Map([[document, inputDocument]]));
  });
  return { argument: isProvided(argument, provided.input) ? undefined : payload(argument, context), branches };
}

/** The item processor of a Map, and what it goes over: the inputs of its iterations. */
export function processorOf(
  context: ScopeContext,
  step: ForEach,
  symbols: Symbols,
): { readonly items: Json; readonly processor: Machine } {
  const element = variable(provided.element);
  const index = variable(provided.index);
  const first = initialOf(step.scope, context.machine.workflow.input) ?? variable(context.machine.workflow.input);
  const selected = resolve(first, withValue(withValue(symbols, step.element, element), step.index, index));
  const extra = new Map<string, Expression>([
    [step.element, element],
    ...(step.index === undefined ? [] : ([[step.index, index]] as const)),
  ]);
  if (!isProvided(selected, provided.element) && readsBeside(step.scope, step.element, context))
    context.machine.problems.push({
      span: step.span,
      construct: `variable ${step.element} of ${beyond}`,
      remedy: { kind: "compute" },
    });
  const processor = inner(context, step.scope, first, extra);
  const items = resolve(step.items, symbols);
  return {
    items: isProvided(selected, provided.element)
      ? single(items, context)
      : jsonataString(printItems(items, provided, selected, environment)),
    processor: step.gap === undefined ? processor : spaced(processor, step, step.gap, context),
  };
}

const beyond = "an iteration, which begins with more than the iteration gets";

/** Whether a scope reads a variable around it otherwise than for first values that are that of its document. */
function readsBeside(scope: Scope, name: string, { machine }: ScopeContext): boolean {
  const first = initialOf(scope, machine.workflow.input);
  const others = scope.variables.filter(({ initial }) => initial && !(first && equalExpressions(initial, first)));
  return (
    outerReads(scope, machine.correlated).has(name) || initialReads({ ...scope, variables: others }).includes(name)
  );
}

/** Iterations all begin at once; each waits for its turn. */
function spaced({ start, states }: Machine, step: ForEach, gap: number, context: ScopeContext): Machine {
  const key = `${step.id}/turn`;
  return {
    start: key,
    states: [
      { key, type: "Wait", step: step.id, fields: [["Seconds", gapSeconds(gap, context)]], exit: { next: start } },
      ...states,
    ],
  };
}

/** A scope within: its document is the input when `given` is what it begins with, other variables begin as they say. */
function inner(
  context: ScopeContext,
  scope: Scope,
  given: Expression | undefined,
  extra: ReadonlyMap<string, Expression>,
): Machine {
  const document = context.machine.workflow.input;
  const opened = openScope(scope, context.machine, context, []);
  const around = withValues(context.canonical, extra);
  const values = new Map<string, Expression>();
  for (const { name, initial } of opened.scope.variables) {
    const same = given !== undefined && initial !== undefined && equalExpressions(initial, given);
    if (initial && !same && given !== undefined && !extra.has(document) && freeVariables(initial).has(document)) {
      context.machine.problems.push({
        span: scope.span,
        construct: `variable ${name} of ${beyond}`,
        remedy: { kind: "compute" },
      });
    }
    values.set(name, same ? inputDocument : initial ? resolve(initial, around) : unset);
  }
  values.set(document, given === undefined ? (values.get(document) ?? inputDocument) : inputDocument);
  const within = withExtra(opened, extra);
  return lowerScope(within, withValues(within.canonical, values));
}

/** The element and the index of an iteration can be read in every state of it. */
const withExtra = (opened: ScopeContext, extra: ReadonlyMap<string, Expression>): ScopeContext => ({
  ...opened,
  canonical: { ...opened.canonical, own: new Map([...extra, ...opened.canonical.own]) },
});

const initialOf = ({ variables }: Scope, document: string): Expression | undefined =>
  variables.find(({ name }) => name === document)?.initial;
