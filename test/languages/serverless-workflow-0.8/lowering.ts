import { readDocuments } from "../../../src/documents/index.ts";
import { printWorkflow } from "../../../src/ir/print.ts";
import { frontEnd } from "../../../src/languages/serverless-workflow-0.8/front-end.ts";
import type { LanguageOptions } from "../../../src/options.ts";
import type { Diagnostic } from "../../../src/text/diagnostics.ts";
import { positionOf } from "../../../src/text/source.ts";

/** The result of the front end. */
export interface Lowered {
  /** The printed IR; empty if the definition is invalid. */
  readonly ir: string;
  /** Code and source at the span, in order of report. */
  readonly findings: readonly string[];
}

/** Reads, canonicalizes, validates and lowers a definition, without later analysis. */
export function lower(text: string, options: LanguageOptions = {}): Lowered {
  const found: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void found.push(diagnostic);
  const [document] = readDocuments({ path: "demo.yaml", text }, report);
  const normal = document && frontEnd.canonicalize(document, report);
  const fits = normal !== undefined && frontEnd.validator()(normal, report);
  const workflow = fits ? frontEnd.lower(normal, { report, options, stem: "demo" }) : undefined;
  return { ir: workflow ? printWorkflow(workflow) : "", findings: found.map(findingOf) };
}

function findingOf({ code, span: { source, start, end } }: Diagnostic): string {
  const text = source.text.slice(start, end).replace(/\s+/g, " ");
  return `${positionOf(source, start).line} ${code} ${text.length > 50 ? `${text.slice(0, 50)}…` : text}`;
}

/** A definition with the given states and other top-level lines, in YAML. */
export const definition = (states: string, more = ""): string =>
  `id: demo\nversion: '1.0'\nspecVersion: '0.8'\n${more}states:\n${states.replace(/^\n/, "")}`;
