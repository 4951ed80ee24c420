import { childrenOf, type Expression, freeVariables, substitute, variable } from "../../src/expressions/index.ts";
import { expressionsOf, stepsOf } from "../../src/ir/walk.ts";
import type {
  Branch,
  EventCombination,
  EventDefinition,
  EventPattern,
  Handler,
  NativeForm,
  Reference,
  Retry,
  Scope,
  Seconds,
  Step,
  Workflow,
} from "../../src/ir/workflow.ts";
import { assertNever, type JsonObject } from "../../src/json.ts";

/** Renaming functions for each kind of name. They are injective. */
export interface Renaming {
  step(id: string): string;
  /** The construct of a step. */
  origin(name: string): string;
  variable(name: string): string;
  function(name: string): string;
  event(name: string): string;
}

/**
 * Renames the steps, variables, functions and events of a workflow without changing its behavior. Branches keep their
 * names, which are keys of data, and so do events whose names expressions read.
 */
export function renamed(workflow: Workflow, given: Renaming): Workflow {
  const read = new Set(stepsOf(workflow).flatMap(expressionsOf).flatMap(textsIn));
  const names: Renaming = { ...given, event: (name) => (read.has(name) ? name : given.event(name)) };
  const { input, body, functions, events, start, correlation } = workflow;
  const emitted = new Set(stepsOf(workflow).flatMap((step) => (step.kind === "emit" ? [step.event.name] : [])));
  return {
    ...workflow,
    input: names.variable(input),
    body: scopeOf(body, names),
    functions: functions.map((each) => ({ ...each, name: names.function(each.name) })),
    events: events.map((each) => eventOf(each, names, emitted.has(each.name))),
    start: { ...start, on: start.on?.map((each) => alternativeOf(each, names)) },
    correlation: correlation && over(correlation, names, "run"),
    timeout: workflow.timeout && { ...workflow.timeout, seconds: computedOf(workflow.timeout.seconds, names)! },
    native: workflow.native && nativeOf(workflow.native, names),
  };
}

/** Renames the actions of a composition. A state machine is compiled from its steps. */
function nativeOf({ format, value }: NativeForm, names: Renaming): NativeForm | undefined {
  if (format === "asl") return undefined;
  const definition = value["definition"] as JsonObject;
  const states = Object.entries(definition["States"] as { readonly [name: string]: JsonObject }).map(
    ([name, state]) => {
      const action = state["Action"];
      return [name, typeof action === "string" ? { ...state, Action: names.function(action) } : state] as const;
    },
  );
  return { format, value: { ...value, definition: { ...definition, States: Object.fromEntries(states) } } };
}

/** The strings in an expression. */
const textsIn = (expression: Expression): readonly string[] =>
  expression.kind === "literal" && typeof expression.value === "string"
    ? [expression.value]
    : childrenOf(expression).flatMap((child) => textsIn(child.expression));

/** Renames the variables of an expression, except `kept`. */
function over(expression: Expression, names: Renaming, ...kept: readonly string[]): Expression {
  const others = new Map<string, Expression>();
  for (const name of freeVariables(expression))
    if (!kept.includes(name)) others.set(name, variable(names.variable(name)));
  return substitute(expression, others);
}

/** An emitted event without a type uses its name as the type. */
function eventOf(event: EventDefinition, names: Renaming, isEmitted: boolean): EventDefinition {
  const correlation = event.correlation && over(event.correlation, names, "event");
  return {
    ...event,
    name: names.event(event.name),
    type: event.type ?? (isEmitted ? event.name : undefined),
    correlation,
  };
}

const scopeOf = (scope: Scope, names: Renaming): Scope => ({
  ...scope,
  entry: to(scope.entry, names),
  variables: scope.variables.map(({ name, initial }) => ({
    name: names.variable(name),
    initial: initial && over(initial, names),
  })),
  steps: scope.steps.map((step) => stepOf(step, names)),
});

const to = (reference: Reference, names: Renaming): Reference => ({ ...reference, name: names.step(reference.name) });

const patternOf = ({ event, when }: EventPattern, names: Renaming): EventPattern => ({
  event: { ...event, name: names.event(event.name) },
  when: when && over(when, names, "event"),
});

const alternativeOf = (alternative: EventCombination, names: Renaming): EventCombination => ({
  ...alternative,
  all: alternative.all.map((group) => group.map((each) => patternOf(each, names))),
  none: alternative.none.map((each) => patternOf(each, names)),
});

const handlerOf = (handler: Handler, names: Renaming): Handler => ({
  ...handler,
  when: over(handler.when, names, "error"),
  bind: handler.bind === undefined ? undefined : names.variable(handler.bind),
  next: to(handler.next, names),
});

const retryOf = ({ delay, ...retry }: Retry, names: Renaming): Retry => ({
  ...retry,
  when: over(retry.when, names, "error"),
  within: computedOf(retry.within, names),
  delay: { ...delay, base: computedOf(delay.base, names)!, cap: computedOf(delay.cap, names) },
});

/** Renames the variables of a number that may be computed. */
const computedOf = (number: Seconds | undefined, names: Renaming): Seconds | undefined =>
  number === undefined || typeof number === "number" ? number : over(number, names);

function stepOf(step: Step, names: Renaming): Step {
  const common = {
    id: names.step(step.id),
    origin: { ...step.origin, name: names.origin(step.origin.name) },
    ...("next" in step ? { next: to(step.next, names) } : {}),
    ...("bind" in step && step.bind !== undefined ? { bind: names.variable(step.bind) } : {}),
    ...("handlers" in step ? { handlers: step.handlers.map((each) => handlerOf(each, names)) } : {}),
    ...("retries" in step ? { retries: step.retries.map((each) => retryOf(each, names)) } : {}),
    ...("timeout" in step ? { timeout: computedOf(step.timeout, names) } : {}),
  };
  return { ...step, ...common, ...ownOf(step, names) } as Step;
}

/** The renamed members specific to a kind of step. */
function ownOf(step: Step, names: Renaming): object {
  switch (step.kind) {
    case "assign":
      return {
        values: step.values.map((each) => ({
          variable: names.variable(each.variable),
          value: over(each.value, names),
        })),
      };
    case "choose":
      return {
        cases: step.cases.map((each) => ({ ...each, when: over(each.when, names), next: to(each.next, names) })),
        otherwise: step.otherwise && to(step.otherwise, names),
      };
    case "call":
      return {
        function: { ...step.function, name: names.function(step.function.name) },
        ...(step.secrets && {
          secrets: step.secrets.map((secret) => ({
            ...secret,
            bind: names.variable(secret.bind),
            reader: { ...secret.reader, name: names.function(secret.reader.name) },
          })),
        }),
        argument: over(step.argument, names),
      };
    case "delay":
      return {
        wait:
          step.wait.kind === "for"
            ? { kind: "for", seconds: over(step.wait.seconds, names) }
            : { kind: "until", instant: over(step.wait.instant, names) },
      };
    case "receive":
      return {
        alternatives: step.alternatives.map((each) => alternativeOf(each, names)),
        correlation: step.correlation?.map(({ key, value }) => ({ key, value: over(value, names) })),
      };
    case "emit":
      return {
        event: { ...step.event, name: names.event(step.event.name) },
        data: over(step.data, names),
        correlation: step.correlation && over(step.correlation, names),
        attributes:
          step.attributes &&
          Object.fromEntries(Object.entries(step.attributes).map(([name, value]) => [name, over(value, names)])),
      };
    case "fork":
      return { branches: step.branches.map((each): Branch => ({ ...each, scope: scopeOf(each.scope, names) })) };
    case "foreach":
      return {
        items: over(step.items, names),
        element: names.variable(step.element),
        index: step.index === undefined ? undefined : names.variable(step.index),
        width: typeof step.width === "object" ? { ...step.width, value: over(step.width.value, names) } : step.width,
        tolerates: step.tolerates && {
          ...step.tolerates,
          count: computedOf(step.tolerates.count, names),
          percentage: computedOf(step.tolerates.percentage, names),
        },
        scope: scopeOf(step.scope, names),
      };
    case "invoke":
      return { input: over(step.input, names) };
    case "attempt":
      return { body: scopeOf(step.body, names), restore: step.restore.map((name) => names.variable(name)) };
    case "end":
      return { value: over(step.value, names) };
    default:
      return assertNever(step);
  }
}
