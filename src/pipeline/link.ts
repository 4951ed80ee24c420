import type { Workflow } from "../ir/workflow.ts";
import { type Program, programOf } from "../ir/workflow.ts";
import type { Language } from "../language.ts";
import type { Report } from "../text/diagnostics.ts";
import type { Span } from "../text/source.ts";
import type { LoweredWorkflow } from "./lower.ts";
import { type PartOf, textOf } from "./parts.ts";

/** Lets each language resolve references among its workflows. */
export function linkWorkflows(
  workflows: readonly Workflow[],
  languages: readonly Language[],
  report: Report,
): readonly Workflow[] {
  if (workflows.length < 2) return workflows;
  const linked = new Map<Workflow, Workflow>();
  for (const language of languages) {
    const own = workflows.filter((workflow) => workflow.language === language.name);
    if (own.length === 0) continue;
    for (const [i, workflow] of (language.link?.(own, report, workflows) ?? []).entries())
      linked.set(own[i]!, workflow);
  }
  return workflows.map((workflow) => linked.get(workflow) ?? workflow);
}

/** Builds the program of the linked workflows. Broken parts without a workflow are its unread text. */
export function buildProgram(workflows: readonly Workflow[], partOf: PartOf, broken: ReadonlySet<Span>): Program {
  const lowered = new Set(workflows.map(({ span }) => partOf(span)));
  const unread = [...broken].filter((part) => !lowered.has(part)).map(textOf);
  return { ...programOf(workflows), unread };
}

/** For each workflow that was recovered only in part: a program of it alone that can refer to all others. */
export function partialPrograms(
  lowered: readonly LoweredWorkflow[],
  { workflows, unread = [] }: Program,
  languages: readonly Language[],
  partOf: PartOf,
): readonly Program[] {
  const partial = lowered.filter(({ isWhole }) => !isWhole).map(({ workflow }) => workflow);
  if (partial.length === 0) return [];
  const all = linkWorkflows([...workflows, ...partial], languages, () => {});
  return all.slice(workflows.length).map((workflow) => ({
    ...programOf(all),
    workflows: [workflow],
    unread: unread.filter((text) => text !== textOf(partOf(workflow.span))),
  }));
}
