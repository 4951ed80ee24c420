import { type Expression, freeVariables, isTotal, simplify } from "../expressions/index.ts";
import { argumentVariables, isActivity } from "./callbacks.ts";
import { reservedAttributes } from "./emitted-events.ts";
import { builtInOf, isExternal } from "./protocols.ts";
import { computedSeconds } from "./seconds.ts";
import { timerErrors } from "./timers.ts";
import { computedTolerance } from "./tolerance.ts";
import {
  assignedVariables,
  handlersOf,
  ownExpressions,
  patternsOf,
  retriesOf,
  type ScopeNode,
  scopesOf,
  stepsOf,
  successors,
} from "./walk.ts";
import { computedWidth } from "./width.ts";
import type { Call, Emit, ForEach, FunctionDefinition, Receive, Scope, Step, Workflow } from "./workflow.ts";

/**
 * Lists violations of the IR's invariants: names are unique in their scope; a scope starts at one of its steps, which
 * lead only to its steps; variables that are read are in scope; variables that are set belong to the scope itself, or
 * around an attempt to the enclosing one; functions and events are defined; correlation values belong to their events
 * and cannot fail; built-in functions are waited for; activities are called with callbacks; timers and the limit of runs
 * have times.
 */
export function verify(workflow: Workflow): readonly string[] {
  const steps = stepsOf(workflow);
  return [
    ...repeated(steps.map(({ id }) => id)).map((id) => `Several steps have the id \`${id}\`.`),
    ...repeated(workflow.functions.map(({ name }) => name)).map((name) => `Function \`${name}\` is defined twice.`),
    ...repeated(workflow.events.map(({ name }) => name)).map((name) => `Event \`${name}\` is defined twice.`),
    ...workflowErrors(workflow),
    ...startErrors(workflow),
    ...steps.flatMap((step) => [...stepErrors(step, workflow), ...secondsErrors(step)]),
    ...scopesOf(workflow).flatMap((node) => scopeErrors(node, workflow)),
  ];
}

const startErrors = ({ start, timeout, input }: Workflow): readonly string[] => [
  ...(start.timers ?? []).flatMap((timer, i) => timerErrors(timer).map((error) => `Timer ${i} ${error}.`)),
  ...(typeof timeout?.seconds === "number" && !(Number.isFinite(timeout.seconds) && timeout.seconds > 0)
    ? ["The limit of runs is no time."]
    : []),
  ...(timeout && typeof timeout.seconds !== "number"
    ? unknownVariables([timeout.seconds], new Set([input])).map(
        (name) => `The limit of runs uses the variable \`${name}\`, which is not in scope.`,
      )
    : []),
];

/** Checks a workflow after a rewrite. */
export type VerifyRewrite = (workflow: Workflow, rewrite: string) => void;

/** Throws if a rewrite violates an invariant. */
export const assertWellFormed: VerifyRewrite = (workflow, rewrite) => {
  const faults = verify(workflow);
  if (faults.length > 0) throw new Error(`After ${rewrite}, workflow ${workflow.id}: ${faults.join(" ")}`);
};

function workflowErrors({
  body,
  input,
  start,
  events,
  correlation,
  raisedError,
  functions,
}: Workflow): readonly string[] {
  const reads = (what: string, expression: Expression | undefined, provided: readonly string[]): readonly string[] =>
    unknownVariables(expression ? [expression] : [], new Set(provided)).map(
      (name) => `${what} uses the variable \`${name}\`, which is not in scope.`,
    );
  return [
    ...(body.variables.some(({ name }) => name === input) ? [] : [`The input \`${input}\` is not a variable.`]),
    ...reads("The correlation", correlation, [input, "run"]),
    ...reads("The raised error", raisedError, ["error", "pointer"]),
    ...(raisedError && !isTotal(simplify(raisedError)) ? ["The raised error may fail or yields no single value."] : []),
    ...functions.flatMap(acceptErrors),
    ...events.flatMap((event) => reads(`Event ${event.name}`, event.correlation, ["event"])),
    ...events
      .filter(({ correlation: value, correlationKey }) => correlationKey !== undefined && !value)
      .map(({ name }) => `Event \`${name}\` has a correlation key but no correlation.`),
    ...patternsOf(start.on ?? []).flatMap(({ when }) => reads("The start", when, ["event"])),
    ...undefinedEvents("The start", patternsOf(start.on ?? []), events),
  ];
}

function acceptErrors({ name, protocol }: FunctionDefinition): readonly string[] {
  if (protocol?.kind !== "http") return [];
  if (protocol.accept && protocol.failure === undefined)
    return [`Function \`${name}\` accepts some statuses, but the error of the others has no name.`];
  return protocol.answer && !protocol.accept ? [`Function \`${name}\` does not say which statuses it accepts.`] : [];
}

function secondsErrors(step: Step): readonly string[] {
  const set = new Set(setWithin(step));
  const jitters = retriesOf(step).flatMap(({ delay }) => (delay.jitter?.kind === "range" ? [delay.jitter] : []));
  const wrong = jitters.some(({ from, to }) => !(from >= 0 && from <= to));
  const ranges = wrong ? [`Step ${step.id} has a retry whose jitter is no range of seconds.`] : [];
  const computed = computedSeconds(step).flatMap((seconds) =>
    seconds.kind !== "variable"
      ? [`Step ${step.id} computes seconds otherwise than by a variable.`]
      : set.has(seconds.name)
        ? [`Step ${step.id} sets the variable \`${seconds.name}\` with its own seconds.`]
        : [],
  );
  const widths = [...computedWidth(step), ...computedTolerance(step)].flatMap(({ kind }) =>
    kind === "variable" ? [] : [`Step ${step.id} computes a limit of its iterations otherwise than by a variable.`],
  );
  return [...ranges, ...computed, ...widths];
}

/** The variables that a step sets before it ends, other than by its handlers. */
const setWithin = (step: Step): readonly string[] =>
  step.kind === "attempt" ? step.body.steps.flatMap((inner) => [...assignedVariables(inner), ...setWithin(inner)]) : [];

function callbackErrors({ id, function: called, wait, callback }: Call, workflow: Workflow): readonly string[] {
  if (!callback)
    return isActivity(workflow, called.name) ? [`Step ${id} calls an activity, but waits for no callback.`] : [];
  const { protocol } = workflow.functions.find(({ name }) => name === called.name) ?? {};
  return [
    ...(wait ? [] : [`Step ${id} must wait for its callback.`]),
    ...(isExternal(protocol) ? [] : [`Step ${id} waits for a callback of \`${called.name}\`, which makes none.`]),
  ];
}

function builtInErrors({ id, function: called, wait, timeout }: Call, functions: readonly FunctionDefinition[]) {
  const isBuiltIn = functions.some(({ name, protocol }) => name === called.name && builtInOf(protocol));
  return isBuiltIn && (!wait || timeout !== undefined)
    ? [`Step ${id} must wait for the built-in function \`${called.name}\`.`]
    : [];
}

function stepErrors(step: Step, workflow: Workflow): readonly string[] {
  const { functions, events } = workflow;
  const at = `Step ${step.id}`;
  const twice = (what: string, names: readonly string[]) =>
    repeated(names).map((name) => `${at} has several ${what} \`${name}\`.`);
  switch (step.kind) {
    case "assign":
      return twice(
        "values for",
        step.values.map(({ variable }) => variable),
      );
    case "call":
      return functions.some(({ name }) => name === step.function.name)
        ? [...builtInErrors(step, functions), ...callbackErrors(step, workflow)]
        : [`${at} calls \`${step.function.name}\`, which is not defined.`];
    case "emit":
      return [
        ...undefinedEvents(at, [step], events),
        ...emittedCorrelationErrors(step, events),
        ...attributeErrors(step, events),
      ];
    case "receive":
      return [...undefinedEvents(at, patternsOf(step.alternatives), events), ...awaitedCorrelationErrors(step, events)];
    case "fork":
      return [
        ...twice(
          "branches",
          step.branches.map(({ name }) => name),
        ),
        ...(step.join.kind === "some" && step.join.count > step.branches.length
          ? [`${at} joins on more branches than it has.`]
          : []),
      ];
    case "foreach":
      return twice("variables", elementsOf(step));
    case "invoke":
      return step.wait && step.whenParentEnds === "terminate"
        ? [`${at} waits for its subflow, so it cannot stop with this workflow.`]
        : [];
    case "attempt":
      return step.body.variables.map(({ name }) => `The body of ${at} declares \`${name}\`.`);
    default:
      return [];
  }
}

function emittedCorrelationErrors({ id, event, correlation }: Emit, events: Workflow["events"]): readonly string[] {
  if (!correlation) return [];
  const isCarried = events.some(({ name, correlationAttribute }) => name === event.name && correlationAttribute);
  return [
    ...(isCarried ? [] : [`Step ${id} has a correlation value, but event \`${event.name}\` has no attribute for it.`]),
    ...correlationErrors(id, [correlation]),
  ];
}

function attributeErrors({ id, event, attributes = {}, bind }: Emit, events: Workflow["events"]): readonly string[] {
  const isCorrelated = events.some(({ name, correlationAttribute }) => name === event.name && correlationAttribute);
  return [
    ...Object.keys(attributes)
      .filter((name) => reservedAttributes.has(name))
      .map((name) => `Step ${id} gives the attribute \`${name}\`, which every event has.`),
    ...(bind !== undefined && isCorrelated ? [`Step ${id} binds an event with a correlation value.`] : []),
  ];
}

function awaitedCorrelationErrors(
  { id, alternatives, correlation = [] }: Receive,
  events: Workflow["events"],
): readonly string[] {
  const keys = correlation.map(({ key }) => key);
  const names = new Set(patternsOf(alternatives).map(({ event }) => event.name));
  const known = new Set(events.flatMap(({ name, correlationKey: key }) => (names.has(name) ? (key ?? []) : [])));
  return [
    ...repeated(keys).map((key) => `Step ${id} has several correlation values for \`${key}\`.`),
    ...keys
      .filter((key) => !known.has(key))
      .map((key) => `Step ${id} has a correlation value for \`${key}\`, which none of its events use.`),
    ...correlationErrors(
      id,
      correlation.map(({ value }) => value),
    ),
  ];
}

const correlationErrors = (id: string, values: readonly Expression[]): readonly string[] =>
  values
    .filter((value) => !isTotal(simplify(value)))
    .map(() => `Step ${id} has a correlation value that may fail or yields no single value.`);

const undefinedEvents = (
  at: string,
  uses: readonly { readonly event: { readonly name: string } }[],
  events: Workflow["events"],
): readonly string[] =>
  uses
    .filter(({ event }) => !events.some(({ name }) => name === event.name))
    .map(({ event }) => `${at} names event \`${event.name}\`, which is not defined.`);

function scopeErrors(node: ScopeNode, { input }: Workflow): readonly string[] {
  const { scope, owner, parent: outer } = node;
  const at = owner ? `A scope of step ${owner.id}` : "The outermost scope";
  const names = scope.variables.map(({ name }) => name);
  const initials = scope.variables.flatMap(({ initial }) => (initial ? [initial] : []));
  const around = new Set([
    ...(outer ? visibleIn(outer) : [input]),
    ...(owner?.kind === "foreach" ? elementsOf(owner) : []),
  ]);
  const known: ScopeVariables = { writable: declaredBy(writableScopeOf(node)), visible: visibleIn(node) };
  return [
    ...repeated(names).map((name) => `${at} declares \`${name}\` twice.`),
    ...unknownVariables(initials, around).map(
      (name) => `${at} initializes a variable with \`${name}\`, which is not in scope.`,
    ),
    ...strayReferences(scope).map((error) => `${at} ${error}`),
    ...scope.steps.flatMap((step) => variableErrors(step, known)),
  ];
}

function strayReferences({ entry, steps }: Scope): readonly string[] {
  const ids = new Set(steps.map(({ id }) => id));
  return [
    ...(ids.has(entry.name) ? [] : [`begins at \`${entry.name}\`, which is not one of its steps.`]),
    ...steps.flatMap((step) =>
      successors(step).flatMap(({ name }) =>
        ids.has(name) ? [] : [`leads from \`${step.id}\` to \`${name}\`, which is not one of its steps.`],
      ),
    ),
  ];
}

interface ScopeVariables {
  readonly writable: ReadonlySet<string>;
  readonly visible: ReadonlySet<string>;
}

function variableErrors(step: Step, { writable, visible }: ScopeVariables): readonly string[] {
  const set = step.kind === "attempt" ? [...assignedVariables(step), ...step.restore] : assignedVariables(step);
  const recovery = [...retriesOf(step), ...handlersOf(step)].map(({ when }) => when);
  const provided = step.kind === "receive" ? ["event"] : step.kind === "call" ? argumentVariables(step) : [];
  const reads = [
    ...unknownVariables(ownExpressions(step), new Set([...visible, ...provided])),
    ...unknownVariables(recovery, new Set([...visible, "error"])),
  ];
  return [...set.filter((name) => !writable.has(name)), ...reads].map(
    (name) => `Step ${step.id} uses the variable \`${name}\`, which is not in scope.`,
  );
}

const unknownVariables = (expressions: readonly Expression[], known: ReadonlySet<string>): readonly string[] =>
  expressions.flatMap((expression) => [...freeVariables(expression)].filter((name) => !known.has(name)));

const declaredBy = ({ scope, owner }: ScopeNode): ReadonlySet<string> =>
  new Set([...scope.variables.map(({ name }) => name), ...(owner?.kind === "foreach" ? elementsOf(owner) : [])]);

function visibleIn(node: ScopeNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (let at: ScopeNode | undefined = node; at; at = at.parent) for (const name of declaredBy(at)) names.add(name);
  return names;
}

/** For the body of an attempt, the enclosing scope. */
function writableScopeOf(node: ScopeNode): ScopeNode {
  let frame = node;
  while (frame.parent && frame.owner?.kind === "attempt") frame = frame.parent;
  return frame;
}

const elementsOf = ({ element, index }: ForEach): readonly string[] =>
  index === undefined ? [element] : [element, index];

function repeated(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size === seen.add(name).size);
}
