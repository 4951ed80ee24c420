import type { EventRule, Alternative as RuleAlternative, Rules, StartRule, WaitRule } from "../events/rules.ts";
import { type Expression, freeVariables } from "../expressions/index.ts";
import { patternsOf, stepsOf } from "../ir/walk.ts";
import type { EventCombination, EventDefinition, EventPattern, Program, Receive, Workflow } from "../ir/workflow.ts";
import type { Json, JsonObject } from "../json.ts";
import { compute, environmentIn, firstOf } from "./context.ts";
import { asJson, failureOf } from "./failure.ts";

/** The waits and starts of a program as the broker knows them. */
export function rulesOf({ workflows }: Program, newRun: Rules["newRun"]): Rules {
  const waits = new Map(workflows.flatMap(waitRules));
  return {
    waitRule: ({ step }) => waits.get(step),
    starts: workflows.flatMap(startRules),
    newRun,
    failure: (thrown) => asJson(failureOf(thrown).error),
  };
}

/** How the broker names a step that waits. */
export const waitName = (workflow: Workflow, step: Receive): string => `${workflow.id} ${step.id}`;

/** The variables that the conditions of a wait read. */
export const variablesOf = (step: Receive): ReadonlySet<string> =>
  new Set(patternsOf(step.alternatives).flatMap(({ when }) => (when ? [...freeVariables(when)] : [])));

/** The value that an event has for a correlation expression. An event for which it fails has none. */
export function correlationOf(correlation: Expression, event: JsonObject): Json | undefined {
  try {
    return firstOf(correlation, new Map<string, Json>([["event", event]]));
  } catch {
    return undefined;
  }
}

function waitRules(workflow: Workflow): readonly (readonly [string, WaitRule])[] {
  const events = eventRules(workflow);
  return stepsOf(workflow)
    .filter((step): step is Receive => step.kind === "receive")
    .map((step) => [
      waitName(workflow, step),
      {
        alternatives: step.alternatives.map((each) => alternativeRule(each, events)),
        unused: step.unused,
        events: [...events.values()],
      },
    ]);
}

function startRules(workflow: Workflow): readonly StartRule[] {
  const { on = [], create, gap, window } = workflow.start;
  if (on.length === 0) return [];
  const events = eventRules(workflow);
  const instant = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return [
    {
      workflow: workflow.id,
      on: on.map((each) => alternativeRule(each, events)),
      complete: create === "complete",
      gap,
      from: instant(window?.from),
      until: instant(window?.until),
    },
  ];
}

const eventRules = ({ events }: Workflow): ReadonlyMap<string, EventRule> =>
  new Map(events.map((event) => [event.name, eventRule(event)]));

function eventRule({
  name,
  type,
  source,
  subject,
  foldCase,
  correlation,
  correlationKey = "",
}: EventDefinition): EventRule {
  const keys = correlation
    ? [
        {
          name: correlationKey,
          scope: "run" as const,
          valueOf: (event: JsonObject) => correlationOf(correlation, event),
        },
      ]
    : [];
  return { name, type, source, subject, foldCase, keys };
}

function alternativeRule(
  { all, none, within }: EventCombination,
  events: ReadonlyMap<string, EventRule>,
): RuleAlternative {
  const pattern = ({ event, when }: EventPattern) => {
    const rule = events.get(event.name);
    if (!rule) throw new Error(`There is no event ${event.name}.`);
    return { event: rule, ...(when && { when: conditionOf(when) }) };
  };
  return { all: all.map((group) => group.map(pattern)), none: none.map(pattern), within };
}

const conditionOf =
  (when: Expression) =>
  (event: JsonObject, variables: JsonObject): boolean => {
    const environment = environmentIn(undefined, new Map(Object.entries(variables)));
    return compute(when, { environment }, new Map<string, Json>([["event", event]])) === true;
  };
