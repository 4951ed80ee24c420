import { unknownStep } from "../../diagnostics/flow.ts";
import type { Document } from "../../documents/index.ts";
import type { Workflow as Definition, EventDefinition, State } from "../../generated/serverless-workflow-definition.ts";
import { scopesOf, stepsOf } from "../../ir/walk.ts";
import type { FunctionDefinition, Start, Step, Workflow } from "../../ir/workflow.ts";
import { isObject, type Json } from "../../json.ts";
import type { LowerContext } from "../../language.ts";
import type { Report } from "../../text/diagnostics.ts";
import { limitSuggestions } from "../../text/messages.ts";
import { inheritDefinitions } from "../shared/inherit.ts";
import { checkConditionLanguage, spanOf } from "../shared/properties.ts";
import { checkFilteredPaths, checkResultPaths, checkTemplates } from "./checks.ts";
import { type Context, settingsOf } from "./context.ts";
import { correlateByTokens } from "./correlation.ts";
import { data } from "./data.ts";
import { abandonedSubflow, detachedTerminate, functionWithoutResource, missingIdentity } from "./diagnostics/kinds.ts";
import { lowerEvents } from "./events.ts";
import { reportShallowMerges } from "./merges.ts";
import { planScopes, type ScopePlan, startState } from "./plan.ts";
import { lowerStates, windowOf } from "./scopes.ts";
import { eventStart } from "./waits.ts";

/** Lowers a valid definition; reports all errors. */
export function lower(document: Document, { report, options, stem, schemas, isBound }: LowerContext): Workflow {
  const definition = document.value as unknown as Definition;
  const { root, entriesByName, ids } = planScopes(document, definition.states, report);
  const identity = identityOf(document, definition, stem, report);
  const events = new Map<string, EventDefinition>();
  for (const event of definition.events ?? []) if (!events.has(event.name)) events.set(event.name, event);
  const settings = settingsOf(options);
  const context: Context = {
    document,
    definition,
    report,
    settings,
    id: identity.id,
    isBound: isBound ?? (() => false),
    events,
    mayReplaceData: hasFilter(definition.states as unknown as Json),
    entriesByName,
    ids,
    consumedEvents: new Set(),
    resultPaths: [],
    unresolved: [],
  };
  if (definition.expressionLanguage !== undefined)
    checkConditionLanguage(context, definition, "expressionLanguage", definition.expressionLanguage);
  const workflow = lowerDefinition(context, root);
  checkUnresolved(context, root);
  checkFilteredPaths(context, root);
  checkResultPaths(context);
  checkTemplates(context);
  const lowered = { ...identity, ...workflow, ...schemasOf(context, schemas) };
  reportShallowMerges(lowered, report);
  return correlateByTokens(lowered);
}

const hasFilter = (value: Json): boolean =>
  Array.isArray(value)
    ? value.some(hasFilter)
    : isObject(value) &&
      (Object.hasOwn(value, "stateDataFilter") || Object.values(value).some((item) => hasFilter(item as Json)));

function schemasOf(context: Context, schemas: LowerContext["schemas"]): Partial<Workflow> {
  const { definition } = context;
  const { dataInputSchema, dataOutputSchema } = definition;
  const spanAt = (key: "dataInputSchema" | "dataOutputSchema") => spanOf(context, definition, key);
  return {
    inputSchema: dataInputSchema,
    outputSchema: dataOutputSchema,
    inputType: dataInputSchema === undefined ? undefined : schemas?.typeAt(dataInputSchema, spanAt("dataInputSchema")),
    inputRules:
      dataInputSchema === undefined ? undefined : schemas?.rulesAt(dataInputSchema, spanAt("dataInputSchema")),
    outputType:
      dataOutputSchema === undefined ? undefined : schemas?.typeAt(dataOutputSchema, spanAt("dataOutputSchema")),
  };
}

/** A name may equal a generated id, which later analysis would miss. */
function checkUnresolved({ unresolved, ids, report }: Context, { byName }: ScopePlan): void {
  const known = limitSuggestions([...byName.keys()]);
  for (const { name, span } of unresolved)
    if (ids.has(name)) report(unknownStep(span, { noun: "state", name, known: known() }));
}

function lowerDefinition(context: Context, plan: ScopePlan): Omit<Workflow, "id" | "name" | "version"> {
  const { definition, document } = context;
  const first = startState(context, plan);
  const start = lowerStart(context, first);
  const body = lowerStates(context, plan, first, { variables: [["data", undefined]], value: () => () => data });
  return {
    kind: "workflow",
    description: definition.description,
    language: "serverless-workflow",
    start,
    input: "data",
    body,
    functions: (definition.functions ?? []).map((each) => lowerFunction(context, each)),
    events: lowerEvents(context),
    metadata: metadataOf(definition),
    span: definition.id === undefined ? document.start : spanOf(context, definition, "id"),
  };
}

function identityOf(
  document: Document,
  definition: Definition,
  stem: string,
  report: LowerContext["report"],
): Pick<Workflow, "id" | "name" | "version"> {
  const fallback = (name: string, value: string): string => {
    report(missingIdentity(document.start, { name, fallback: value }));
    return value;
  };
  const id = definition.id ?? fallback("id", stem);
  const name = definition.name ?? fallback("name", id);
  return { id, name, version: definition.version ?? fallback("version", "1.0") };
}

function lowerStart(context: Context, state: State): Start {
  const window = windowOf(context, state.start);
  const schedule = state.start?.schedule;
  const span = schedule ? spanOf(context, schedule, "interval") : spanOf(context, state, "name");
  return { ...(state.type === "event" ? eventStart(context, state) : {}), window, span };
}

function lowerFunction(context: Context, definition: NonNullable<Definition["functions"]>[number]): FunctionDefinition {
  const { name, resource, type, metadata } = definition;
  const span = spanOf(context, definition, "name");
  if (resource === undefined && !context.isBound(name)) context.report(functionWithoutResource(span, { name }));
  return { name, resource, type, metadata, span };
}

function metadataOf({ metadata, extensions }: Definition): Json | undefined {
  if (extensions === undefined) return metadata;
  return isObject(metadata) ? { ...metadata, extensions } : { extensions };
}

/** Links definitions and checks subflows. */
export function link(workflows: readonly Workflow[], report: Report): readonly Workflow[] {
  warnOfDetachedTerminates(workflows, report);
  warnOfAbandonedSubflows(workflows, report);
  return inheritDefinitions(workflows, report).map((workflow, i) =>
    workflow === workflows[i] ? workflow : correlateByTokens(workflow),
  );
}

function warnOfDetachedTerminates(workflows: readonly Workflow[], report: Report): void {
  const terminating = new Set(workflows.filter((workflow) => stepsOf(workflow).some(endsRun)).map(({ id }) => id));
  for (const step of workflows.flatMap(stepsOf)) {
    if (step.kind === "invoke" && !step.wait && terminating.has(step.workflow.name))
      report(detachedTerminate(step.workflow.span, { id: step.workflow.name }));
  }
}

const endsRun = (step: Step): boolean => step.kind === "end" && step.extent === "run";

function warnOfAbandonedSubflows(workflows: readonly Workflow[], report: Report): void {
  const ids = new Set(workflows.map(({ id }) => id));
  for (const { steps } of workflows.flatMap(scopesOf).map(({ scope }) => scope)) {
    const byId = new Map(steps.map((step) => [step.id, step]));
    for (const step of steps) {
      if (step.kind !== "invoke" || step.wait || !ids.has(step.workflow.name)) continue;
      let next = byId.get(step.next.name);
      while (next && "next" in next && isOfSameState(next, step)) next = byId.get(next.next.name);
      if (next?.kind === "end" && isOfSameState(next, step))
        report(abandonedSubflow(step.workflow.span, { workflow: step.workflow.name }));
    }
  }
}

const isOfSameState = (a: Step, b: Step): boolean => a.origin.name === b.origin.name && !a.origin.entry;
