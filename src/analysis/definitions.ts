import { duplicateName, duplicateWorkflow } from "../diagnostics/flow.ts";
import { scopesOf } from "../ir/walk.ts";
import type { Program } from "../ir/workflow.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import { generalNoun } from "./naming.ts";

/** Reports duplicate workflows, functions, events and states. */
export function checkDefinitions({ workflows }: Program, report: Report): void {
  for (const { name: id, span, first } of repeated(workflows.map(({ id, span }) => ({ name: id, span })))) {
    report(duplicateWorkflow(span, { id }, [{ message: "The first one is here.", span: first }]));
  }
  for (const workflow of workflows) {
    checkNames(workflow.functions, "function", report);
    checkNames(workflow.events, "event", report);
    for (const { scope } of scopesOf(workflow)) {
      const entries = scope.steps.filter(({ origin }) => origin.entry);
      const names = entries.map((step) => ({ name: step.origin.name, span: step.span }));
      if (entries[0]) checkNames(names, generalNoun(entries[0].origin.noun), report);
    }
  }
}

interface NamedDefinition {
  readonly name: string;
  readonly span: Span;
}

function checkNames(names: readonly NamedDefinition[], noun: string, report: Report): void {
  for (const { name, span, first } of repeated(names)) {
    report(duplicateName(span, { noun, name }, [{ message: "The first one is here.", span: first }]));
  }
}

function* repeated(names: readonly NamedDefinition[]): Generator<NamedDefinition & { readonly first: Span }> {
  const seen = new Map<string, Span>();
  for (const { name, span } of names) {
    const first = seen.get(name);
    if (first) yield { name, span, first };
    else seen.set(name, span);
  }
}
