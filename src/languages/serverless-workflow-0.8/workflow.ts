import { unknownStep } from "../../diagnostics/flow.ts";
import type { Document } from "../../documents/index.ts";
import type { Expression } from "../../expressions/index.ts";
import type { State } from "../../generated/serverless-workflow-0.8-definition.ts";
import { narrowTimeouts } from "../../ir/narrow-timeouts.ts";
import { limitRunBefore } from "../../ir/run-before.ts";
import type { FunctionDefinition, Scope, Start, Step, Workflow } from "../../ir/workflow.ts";
import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { Span } from "../../text/source.ts";
import { unknownExpressionLanguage } from "../shared/diagnostics/kinds.ts";
import { inheritDefinitions } from "../shared/inherit.ts";
import { type ReadContext, secondsAt, spanOf } from "../shared/properties.ts";
import { createStepIds, createStepWriter, reserve, stepsIn } from "../shared/steps.ts";
import { checkVersions, type OtherVersion, separateVersions } from "../shared/subflow-versions.ts";
import { lowerCompensations, planCompensations } from "./compensation.ts";
import { type Context, createWriter } from "./context.ts";
import { type CompleteDefinition, readDefinitions } from "./definitions.ts";
import {
  compensationRule,
  duplicateName,
  ignoredBySonataflow,
  missingIdentity,
  noEffect,
  optionForSonataflow,
  stateById,
  subflowVersion,
  unsupportedProperty,
} from "./diagnostics/kinds.ts";
import { lowerEvents } from "./events.ts";
import { lowerFunctions } from "./functions.ts";
import { reportIgnored } from "./ignored.ts";
import { scheduleOf } from "./schedule.ts";
import { inputSchemaOf, outputRulesOf } from "./schemas.ts";
import { lowerState } from "./states.ts";
import { eventStart } from "./waits.ts";

/** Lowers a valid definition; reports all errors. */
export function lower(written: Document, lowering: LowerContext): Workflow {
  const { document, definition } = readDefinitions(written, lowering);
  const reading: ReadContext = { document, report: lowering.report };
  const states = namedBy(reading, undefined, definition.states);
  const ids = createStepIds();
  const entries = new Map(definition.states.map((state) => [state, ids.entry([], state.name)] as const));
  const functions = namedBy(reading, undefined, definition.functions);
  const identity = identityOf(reading, definition, lowering.stem);
  const common = { ...reading, definition, states };
  const withoutRules: Context = {
    ...common,
    lowering,
    dialect: dialectOf(reading, definition, lowering),
    id: identity.id,
    start: startState(reading, definition, states),
    events: namedBy(reading, undefined, definition.events),
    functions,
    errors: namedBy(reading, "error", definition.errors),
    retries: namedBy(reading, "retry definition", definition.retries),
    mayReplaceData: definition.states.some((state) => state.stateDataFilter !== undefined),
    constants: definition.constants ?? {},
    secrets: definition.secrets && new Set(definition.secrets),
    ids,
    entries,
    calledFunctions: [
      ...lowerFunctions(reading, lowering, definition, functions.values()),
      ...placeholders(written, definition, "functions"),
    ],
    compensations: planCompensations(common),
    compensationEntry: ids.entry([], "compensation"),
    found: { readsRunId: false, hasBareExpression: false, hasOtherCorrelation: false, continuations: [] },
  };
  const context: Context = { ...withoutRules, outputRules: outputRulesOf(withoutRules) };
  checkDefinition(context);
  const body = lowerBody(context);
  const start: Start = {
    ...eventStart(context),
    ...scheduleOf(context),
    span: spanOf(context, context.start, "name"),
  };
  const workflow = limitTime(context, {
    kind: "workflow",
    ...identity,
    description: definition.description,
    language: "serverless-workflow-0.8",
    start,
    input: "data",
    body,
    functions: context.calledFunctions,
    events: [...lowerEvents(context), ...placeholders(written, definition, "events")],
    ...inputSchemaOf(context),
    ...(hasStatus(context) ? { detailedErrors: true } : {}),
    metadata: definition.metadata,
    span: definition.id === undefined ? document.start : spanOf(context, definition, "id"),
  });
  return narrowTimeouts(workflow);
}

/** Whether errors are matched by their HTTP status. */
const hasStatus = ({ errors }: Context): boolean =>
  [...errors.values()].some(({ code }) => /^(?:HTTP:)?\d{3}$/.test(String(code)));

/** Links definitions and separates the versions of subflows, whose errors others may match by status. */
export function link(
  workflows: readonly Workflow[],
  report: LowerContext["report"],
  program: readonly Workflow[],
): readonly Workflow[] {
  const reportOther = (span: Span, other: OtherVersion) => report(subflowVersion(span, other));
  const separate = separateVersions(workflows, reportOther);
  checkVersions(separate, program, reportOther);
  const linked = inheritDefinitions(separate, report);
  const isDetailed = program.some(({ detailedErrors }) => detailedErrors === true);
  return isDetailed ? linked.map((workflow) => ({ ...workflow, detailedErrors: true })) : linked;
}

/** Main states come first; compensations only if something triggers them. */
function lowerBody(context: Context): Scope {
  const { definition, start, entries } = context;
  const variables = new Map<string, Expression | undefined>([["data", undefined]]);
  const slots: (Step | undefined)[] = [];
  const lowerAll = (states: readonly State[]) => {
    for (const state of states) lowerState(createWriter(context, state, { slots, variables }));
  };
  lowerAll(definition.states.filter((state) => !state.usedForCompensation));
  if (context.found.continuations.length > 0) lowerAll(definition.states.filter((state) => state.usedForCompensation));
  else reportUntriggered(context);
  slots.push(...lowerCompensations(context, variables));
  const entry = { name: entries.get(start)!, span: spanOf(context, start, "name") };
  const first = context.found.readsRunId ? readRunId(context, variables, slots, entry) : entry;
  const declared = [...variables].map(([name, initial]) => ({ name, initial }));
  return { entry: first, variables: declared, steps: stepsIn({ slots }), span: spanOf(context, definition, "states") };
}

function reportUntriggered(context: Context): void {
  const state = context.definition.states.find(({ compensatedBy }) => compensatedBy !== undefined);
  if (!state) return;
  const why = "no transition or end has `compensate: true`";
  context.report(noEffect(spanOf(context, state, "compensatedBy", "key"), { name: "compensatedBy", why }));
}

/** Reads the id of the run once, before the first state. */
function readRunId(
  context: Context,
  variables: Map<string, Expression | undefined>,
  slots: (Step | undefined)[],
  next: Scope["entry"],
): Scope["entry"] {
  const { start, ids, calledFunctions } = context;
  const span = spanOf(context, start, "name");
  const name = ids.entry([], "runId");
  const reader: FunctionDefinition = { name, protocol: { kind: "run" }, span };
  calledFunctions.push(reader);
  variables.set("runId", undefined);
  const writer = createStepWriter({ noun: "workflow", name: context.id, span }, name, ids, { slots, variables });
  const { base, reference, fill } = reserve(writer, "run", span);
  const called = { function: { name, span }, argument: { kind: "literal", value: null }, wait: true } as const;
  fill({ ...base, kind: "call", ...called, retries: [], bind: "runId", handlers: [], next });
  return reference;
}

const referenceKeys = {
  functions: ["refName"],
  events: ["eventRef", "triggerEventRef", "resultEventRef", "eventRefs"],
};

/** Definitions of the names that are used, if their file could not be read: that is the only error. */
function placeholders(
  document: Document,
  definition: CompleteDefinition,
  key: "functions" | "events",
): readonly { readonly name: string; readonly span: Scope["span"] }[] {
  const written = document.value as JsonObject;
  if (typeof own(written, key) !== "string" || definition[key] !== undefined) return [];
  const names = new Set<string>();
  const visit = (value: Json): void => {
    if (Array.isArray(value)) for (const each of value as readonly Json[]) visit(each);
    else if (isObject(value)) {
      for (const [name, part] of Object.entries(value)) {
        if (!referenceKeys[key].includes(name)) visit(part);
        else for (const each of [part].flat()) if (typeof each === "string") names.add(each);
      }
    }
  };
  visit(own(written, "states") ?? null);
  return [...names].map((name) => ({ name, span: document.spanOf(written, key) }));
}

/** The first definition of each name. Duplicate states, functions and events are reported for all languages. */
function namedBy<Named extends { readonly name: string }>(
  reading: ReadContext,
  noun: string | undefined,
  list: readonly Named[] = [],
): ReadonlyMap<string, Named> {
  const found = new Map<string, Named>();
  for (const each of list) {
    const first = found.get(each.name);
    if (!first) found.set(each.name, each);
    else if (noun !== undefined) {
      const note = { message: "The first one is here.", span: spanOf(reading, first, "name") };
      reading.report(duplicateName(spanOf(reading, each, "name"), { noun, name: each.name }, [note]));
    }
  }
  return found;
}

function startState(
  reading: ReadContext,
  { start, states }: CompleteDefinition,
  byName: ReadonlyMap<string, State>,
): State {
  const name = start?.stateName;
  const found = name === undefined ? states.find((state) => !state.usedForCompensation) : byName.get(name);
  if (!found && name !== undefined)
    reading.report(
      unknownStep(spanOf(reading, start!, "stateName"), { noun: "state", name, known: [...byName.keys()] }),
    );
  if (found?.usedForCompensation)
    reading.report(
      compensationRule(spanOf(reading, start ?? found, start ? "stateName" : "name"), {
        state: found.name,
        rule: "is used for compensation, and cannot be the start state",
      }),
    );
  return found ?? states[0]!;
}

function identityOf(
  reading: ReadContext,
  definition: CompleteDefinition,
  stem: string,
): Pick<Workflow, "id" | "name" | "version"> {
  if (definition.id !== undefined && definition.key !== undefined)
    reading.report(duplicateName(spanOf(reading, definition, "key", "key"), { noun: "id", name: definition.id }));
  const given = definition.id ?? definition.key;
  if (given === undefined) reading.report(missingIdentity(reading.document.start, { fallback: stem }));
  const id = given ?? stem;
  for (const key of ["name", "version"] as const)
    if (/\$\{/.test(definition[key] ?? ""))
      reading.report(
        unsupportedProperty(spanOf(reading, definition, key), {
          name: `an expression in ${key}`,
          hint: "Write a constant.",
        }),
      );
  return { id, name: definition.name ?? id, version: definition.version ?? "1.0" };
}

const sonataflowOperation = /^(?:sysout|rest:|service:|knative:|camel:|script:)/;
const sonataflowVariable = /\$WORKFLOW\b|\$SECRET\.|"extensionid"/;

function dialectOf(
  reading: ReadContext,
  definition: CompleteDefinition,
  { options }: LowerContext,
): Context["dialect"] {
  const chosen = options["dialect"] ?? definition.dialect;
  if (chosen !== undefined) return chosen === "sonataflow" ? "sonataflow" : "spec";
  const marked = definition.functions?.find(({ operation = "" }) => sonataflowOperation.test(operation));
  if (marked) reading.report(optionForSonataflow(spanOf(reading, marked, "operation"), {}));
  else if (sonataflowVariable.test(JSON.stringify(definition)))
    reading.report(optionForSonataflow(spanOf(reading, definition, "states", "key"), {}));
  return "spec";
}

function checkDefinition(context: Context): void {
  const { definition, states, report } = context;
  const language = definition.expressionLang?.toLowerCase();
  if (language !== undefined && language !== "jq" && language !== "jsonpath")
    report(
      unknownExpressionLanguage(spanOf(context, definition, "expressionLang"), {
        name: language,
        known: ["jq", "jsonpath"],
      }),
    );
  if (definition.keepActive === true)
    report(
      unsupportedProperty(spanOf(context, definition, "keepActive"), {
        name: "keepActive: true",
        hint: "Remove it: a run ends with its last state.",
      }),
    );
  const byId = new Map(
    definition.states.flatMap((state) => (state.id === undefined ? [] : [[String(state.id), state]])),
  );
  for (const { transition } of definition.states) {
    const meant = transition && !states.has(transition.nextState) ? byId.get(transition.nextState) : undefined;
    if (meant)
      report(
        stateById(spanOf(context, transition!, "nextState"), {
          id: transition!.nextState,
          name: (meant as State).name,
        }),
      );
  }
  if (definition.autoRetries && context.dialect === "sonataflow")
    report(
      ignoredBySonataflow(spanOf(context, definition, "autoRetries", "key"), {
        name: "autoRetries",
        why: "does not retry actions",
      }),
    );
  reportIgnored(context);
}

/** Limits the time of a run. With `runBefore`, a state and its successors run before the run fails. */
function limitTime(context: Context, workflow: Workflow): Workflow {
  const given = context.definition.timeouts?.workflowExecTimeout;
  if (!given) return workflow;
  if (given.interrupt === false)
    context.report(
      unsupportedProperty(spanOf(context, given, "interrupt"), {
        name: "interrupt: false",
        hint: "Remove it: the run fails when its time is over.",
      }),
    );
  const seconds = secondsAt(context, given, "duration");
  if (seconds === undefined) return workflow;
  const limit = { seconds, span: spanOf(context, given, "duration") };
  const { runBefore: name } = given;
  if (name === undefined) return { ...workflow, timeout: limit };
  const span = spanOf(context, given, "runBefore");
  const state = context.states.get(name);
  if (state) return limitRunBefore(workflow, limit, { name: context.entries.get(state)!, span });
  context.report(unknownStep(span, { noun: "state", name, known: [...context.states.keys()] }));
  return workflow;
}
