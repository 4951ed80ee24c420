import { analyzeProgram } from "../../src/analysis/index.ts";
import type { Workflow } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import type { Diagnostic } from "../../src/text/diagnostics.ts";
import type { Span } from "../../src/text/source.ts";

/** Analyzes workflows. Returns a line for each finding, hint and note, with the part of the IR at its span. */
export function findings(...workflows: readonly Workflow[]): readonly string[] {
  const found: Diagnostic[] = [];
  const sound = analyzeProgram(programOf(workflows.map(located)), (diagnostic) => found.push(diagnostic));
  if (sound !== found.every(({ severity }) => severity !== "error"))
    throw new Error("The verdict differs from the findings.");
  return found.flatMap(lines);
}

/**
 * Gives each part of a workflow a span that names it: `Ask` is the step with that id, `Ask.cases[0].next` a reference
 * in it. Steps such as `Ask/wait` belong to the construct that `Ask` starts.
 */
export const located = (workflow: Workflow): Workflow => relabel(workflow, workflow.id) as Workflow;

function lines({ code, severity, message, span, hint, notes }: Diagnostic): readonly string[] {
  return [
    `${severity} ${code} at ${labelOf(span)}: ${message}`,
    ...(hint === undefined ? [] : [`  ${hint}`]),
    ...notes.map((note) => `  at ${labelOf(note.span)}: ${note.message}`),
  ];
}

const labelOf = ({ source }: Span): string => source.path;

const spanCalled = (label: string): Span => ({ source: { path: label, text: "" }, start: 0, end: 0 });

function relabel(part: unknown, label: string): unknown {
  if (Array.isArray(part)) return part.map((item, i) => relabel(item, `${label}[${i}]`));
  if (typeof part !== "object" || part === null) return part;
  const { id, origin } = part as { readonly id?: string; readonly origin?: unknown };
  const own = id !== undefined && origin ? id : label;
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === "span" ? spanCalled(own) : relabel(value, `${own}.${key}`),
  ]);
  const copy = Object.fromEntries(entries) as { readonly [key: string]: unknown };
  return id?.includes("/") && origin
    ? { ...copy, origin: { noun: "state", name: id.slice(0, id.indexOf("/")), entry: false } }
    : copy;
}
