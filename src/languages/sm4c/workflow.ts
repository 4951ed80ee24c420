import type { Document } from "../../documents/index.ts";
import { binary, type Expression, literal, member, variable } from "../../expressions/index.ts";
import type { ExecutionTimeout, State, StateMachine } from "../../generated/sm4c-definition.ts";
import { mapScopes } from "../../ir/walk.ts";
import type { Attempt, Reference, Scope, Step, Workflow } from "../../ir/workflow.ts";
import type { LowerContext } from "../../language.ts";
import { circularFunction } from "../shared/diagnostics/kinds.ts";
import { type ReadContext, spanOf } from "../shared/properties.ts";
import { complete, createStepIds, createStepWriter, end, reserve, sequence, stepsIn } from "../shared/steps.ts";
import { lowerAction } from "./actions.ts";
import { type Context, dataBinding, dataName, settingsOf, type Writer } from "./context.ts";
import { readDefinitions } from "./definitions.ts";
import { noStart, severalStarts } from "./diagnostics/kinds.ts";
import { durationAt } from "./durations.ts";
import { backoffOf } from "./errors.ts";
import { lowerEvents } from "./events.ts";
import { readExpressionFunctions } from "./expressions.ts";
import { lowerFunctions } from "./functions.ts";
import { createNameTable } from "./names.ts";
import { lowerState } from "./states.ts";

/** Lowers a valid definition; reports all errors. */
export function lower(original: Document, lowering: LowerContext): Workflow {
  const definition = original.value as unknown as StateMachine;
  const { document, events, functions, retries } = readDefinitions(original, definition, lowering);
  const reading: ReadContext = { document, report: lowering.report };
  const states = createNameTable(reading, "state", definition.states);
  const ids = createStepIds();
  const common = {
    ...reading,
    definition,
    settings: settingsOf(lowering.options),
    states,
    events: createNameTable(reading, "event", events),
    functions: createNameTable(reading, "function", functions),
    retries: createNameTable(reading, "retry policy", retries),
    entries: new Map(states.all.map((state) => [state, ids.entry([], state.name)])),
    ids,
    calledFunctions: [],
  };
  const expressions = readExpressionFunctions({ ...common }, (owner, cycle) =>
    reading.report(circularFunction(spanOf(reading, owner, "operation"), { cycle })),
  );
  const context: Context = { ...common, expressions, calledFunctions: lowerFunctions(common, lowering) };
  for (const policy of context.retries.all) backoffOf(context, policy);
  const { id, name, version, description } = definition;
  const span = spanOf(context, definition, "name");
  return {
    kind: "workflow",
    id: name,
    name,
    version,
    description,
    language: "sm4c",
    start: { span },
    input: dataName,
    body: lowerBody(context),
    functions: context.calledFunctions,
    events: lowerEvents(context),
    metadata: id === undefined ? undefined : { id },
    span,
  };
}

/** Resolves names of subflows, ignoring case. */
export const link = (workflows: readonly Workflow[]): readonly Workflow[] => {
  const byName = new Map(workflows.map(({ id }) => [id, id]));
  const byFolded = new Map(workflows.map(({ id }) => [id.toLowerCase(), id]));
  const named = (reference: Reference): Reference => {
    const name = byName.get(reference.name) ?? byFolded.get(reference.name.toLowerCase());
    return name === undefined || name === reference.name ? reference : { ...reference, name };
  };
  const linked = (step: Step): Step => (step.kind === "invoke" ? { ...step, workflow: named(step.workflow) } : step);
  return workflows.map((workflow) => mapScopes(workflow, (scope) => ({ ...scope, steps: scope.steps.map(linked) })));
};

function startState(context: Context): State {
  const { states, definition, report } = context;
  const [first, ...more] = states.all.filter(({ start }) => start);
  if (!first) report(noStart(spanOf(context, definition, "states", "key"), {}));
  const notes = first && [
    { message: `\`${first.name}\` is the initial state.`, span: spanOf(context, first, "start") },
  ];
  for (const each of more) report(severalStarts(spanOf(context, each, "start"), {}, notes));
  return first ?? states.all[0]!;
}

function lowerBody(context: Context): Scope {
  const { definition, states, entries } = context;
  const variables = new Map<string, Expression | undefined>([[dataName, undefined]]);
  const slots: Writer["slots"] = [];
  for (const state of states.all) lowerState(context, { slots, variables }, state);
  const first = startState(context);
  const span = spanOf(context, definition.states);
  const entry = { name: entries.get(first)!, span: spanOf(context, first, "name") };
  const body: Scope = { entry, variables: [], steps: stepsIn({ slots }), span };
  const timeout = definition.timeout ?? definition.execTimeout;
  const whole = timeout ? limitTime(context, body, timeout, variables) : body;
  return { ...whole, variables: [...variables].map(([name, initial]) => ({ name, initial })) };
}

/** Ends the run with null. */
function limitTime(context: Context, body: Scope, timeout: ExecutionTimeout, variables: Writer["variables"]): Scope {
  const { definition, ids } = context;
  const construct = { noun: "state machine", name: definition.name, span: spanOf(context, definition, "name") };
  const steps = createStepWriter(construct, ids.entry([], "machine"), ids, { slots: [], variables });
  const writer: Writer = { ...steps, context, scope: { input: dataBinding }, temporaries: new Map() };
  const span = spanOf(context, timeout, "duration");
  const { base, reference, fill } = reserve(writer, "machine", span);
  const leave = (what: string, value: Expression) =>
    end(writer, what, construct.span, { outcome: "leave", extent: "scope", value });
  const output = "output";
  variables.set(output, undefined);
  const next = complete(leave("done", variable(output)), span);
  const action = timeout.action ? [lowerAction(writer, timeout.action, false).steps] : [];
  const late = complete(sequence(...action, leave("late", literal(null))), span);
  const when = binary("==", member(variable("error"), "origin"), literal("timeout"));
  const attempt: Attempt = {
    ...base,
    kind: "attempt",
    body,
    restore: [],
    timeout: durationAt(context, timeout, "duration"),
    spans: { timeout: span },
    retries: [],
    bind: output,
    handlers: [{ when, next: late, span }],
    next,
  };
  fill(attempt);
  return { entry: reference, variables: [], steps: stepsIn(writer), span: body.span };
}
