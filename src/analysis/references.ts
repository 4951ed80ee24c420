import {
  externalWorkflow,
  misspelledWorkflow,
  type Terminology,
  unknownEvent,
  unknownFunction,
} from "../diagnostics/flow.ts";
import { patternsOf, stepsOf } from "../ir/walk.ts";
import type { Program, Reference, Step, Workflow } from "../ir/workflow.ts";
import type { Diagnostic, Report } from "../text/diagnostics.ts";
import { limitSuggestions, nearestName } from "../text/messages.ts";
import type { Span } from "../text/source.ts";

/** Reports undefined functions, events and subflows. */
export function checkReferences(
  { workflows, byId, unread = [] }: Program,
  report: Report,
  wordsOf: (workflow: Workflow) => Terminology,
): void {
  const ids = [...byId.keys()];
  const known = new Set(ids);
  const absentWorkflow = createAbsentWorkflow(ids);
  const mayBeUnread = (name: string): boolean => unread.some((text) => text.includes(name));
  for (const workflow of workflows) {
    const steps = stepsOf(workflow);
    if (!mayBeUnread(workflow.id)) {
      const { functions, events } = wordsOf(workflow);
      resolve(steps.flatMap(functionsOf), namesOf(workflow.functions), unknownFunction, functions, report);
      resolve(eventsNamed(workflow), namesOf(workflow.events), unknownEvent, events, report);
    }
    const started = steps.flatMap(workflowsOf).filter(({ name }) => byId.has(name) || !mayBeUnread(name));
    resolve(started, known, absentWorkflow, undefined, report);
  }
}

/** Whether a workflow defines what it names. */
export function definesAll(workflow: Workflow): boolean {
  const functions = namesOf(workflow.functions);
  const events = namesOf(workflow.events);
  return (
    stepsOf(workflow)
      .flatMap(functionsOf)
      .every(({ name }) => functions.has(name)) && eventsNamed(workflow).every(({ name }) => events.has(name))
  );
}

const maxComparisons = 200_000;

function createAbsentWorkflow(ids: readonly string[]): CreateDiagnostic {
  const found = new Map<string, string | undefined>();
  return (span, { name }) => {
    if (!found.has(name))
      found.set(name, found.size * ids.length < maxComparisons ? nearestName(name, ids) : undefined);
    const near = found.get(name);
    return near === undefined ? externalWorkflow(span, { name }) : misspelledWorkflow(span, { name, known: [near] });
  };
}

type CreateDiagnostic = (
  span: Span,
  args: { readonly name: string; readonly known: readonly string[]; readonly under: string | undefined },
) => Diagnostic;

function resolve(
  references: readonly Reference[],
  known: ReadonlySet<string>,
  unknown: CreateDiagnostic,
  under: string | undefined,
  report: Report,
): void {
  const absent = references.filter(({ name }) => !known.has(name));
  if (absent.length === 0) return;
  const suggested = limitSuggestions([...known]);
  for (const { name, span } of absent) report(unknown(span, { name, known: suggested(), under }));
}

const namesOf = (definitions: readonly { readonly name: string }[]): ReadonlySet<string> =>
  new Set(definitions.map(({ name }) => name));

const eventsNamed = (workflow: Workflow): readonly Reference[] => [
  ...patternsOf(workflow.start.on ?? []).map(({ event }) => event),
  ...stepsOf(workflow).flatMap(eventsOf),
];

const functionsOf = (step: Step): readonly Reference[] => (step.kind === "call" ? [step.function] : []);

const workflowsOf = (step: Step): readonly Reference[] => (step.kind === "invoke" ? [step.workflow] : []);

function eventsOf(step: Step): readonly Reference[] {
  if (step.kind === "emit") return [step.event];
  return step.kind === "receive" ? patternsOf(step.alternatives).map(({ event }) => event) : [];
}
