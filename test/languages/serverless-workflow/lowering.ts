import { readDocuments } from "../../../src/documents/index.ts";
import { printWorkflow } from "../../../src/ir/print.ts";
import type { Workflow } from "../../../src/ir/workflow.ts";
import { frontEnd } from "../../../src/languages/serverless-workflow/front-end.ts";
import type { LanguageOptions } from "../../../src/options.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import { positionOf } from "../../../src/text/source.ts";

/** The result of the front end. */
export interface Lowered {
  readonly workflow: Workflow | undefined;
  /** The printed IR. */
  readonly ir: string;
  /** Line, code, source at the span and message, in order of report. */
  readonly findings: readonly string[];
}

/** Reads, canonicalizes, validates and lowers a definition, without later analysis. */
export function lower(
  text: string,
  { path = "demo.yaml", options = {} }: { readonly path?: string; readonly options?: LanguageOptions } = {},
): Lowered {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void found.push(diagnostic);
  const [document] = readDocuments({ path, text }, report);
  const normal = document && frontEnd.canonicalize(document, report);
  const fits = normal !== undefined && frontEnd.validator()(normal, report);
  const workflow = fits ? frontEnd.lower(normal, { report, options, stem: "demo" }) : undefined;
  return { workflow, ir: workflow ? printWorkflow(workflow) : "", findings: found.map(findingOf) };
}

/** The distinct codes of the diagnostics, sorted. */
export const codesOf = ({ findings }: Lowered): readonly string[] =>
  [...new Set(findings.map((finding) => finding.split(" ")[1]!))].sort();

/** The printed steps, without the header. */
export const stepsOf = ({ ir }: Lowered): string => {
  const lines = ir.split("\n").map((line) => line.slice(2));
  const last = lines.findLastIndex((line) => line.startsWith("var "));
  return lines.slice(last + 1).join("\n");
};

/** The IR as data without spans. */
export const bare = (value: unknown): string =>
  JSON.stringify(value, (key, inner) => (key === "span" || key === "spans" ? undefined : inner));

function findingOf({ code, message, span: { source, start, end } }: Diagnostic): string {
  const text = source.text.slice(start, end).replace(/\s+/g, " ");
  return `${positionOf(source, start).line} ${code} <${text.length > 50 ? `${text.slice(0, 50)}…` : text}> ${message}`;
}

/** A definition with the given states and other top-level lines, in YAML. */
export const definition = (states: string, more = ""): string =>
  `id: demo\nname: Demo\nversion: '1.0'\n${more}states:\n${states.replace(/^\n/, "")}`;

/** A final state. */
export const last = "- { name: Last, type: inject, end: { kind: default } }\n";

/** Two functions. */
export const functions = "functions:\n- { name: f, resource: arn:f }\n- { name: g, resource: arn:g }\n";

/** Two events, the second without a token. */
export const events =
  "events:\n- { name: E, type: t.e, source: /s, correlationToken: order }\n- { name: F, type: t.f, source: /s }\n";
