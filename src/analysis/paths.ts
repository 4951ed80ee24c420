import { impossiblePath, outputMismatch, unlistedMember } from "../diagnostics/data.ts";
import { inferType, type PathStep } from "../expressions/index.ts";
import type { Program } from "../ir/program.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Workflow } from "../ir/workflow.ts";
import type { Diagnostic, Note, Report } from "../text/diagnostics.ts";
import { nearestName } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import type { ObjectType, PlainType } from "../types/index.ts";
import { alternatives, findMismatch, nounsOf } from "../types/index.ts";
import { type DataFlow, inferDataFlow, type SightingGroup, sightingsIn } from "./types/index.ts";

/**
 * Where the schema of a workflow's input tells what its data is, every path leads to where something can be; and where there is one of its output,
 * what it gives can be what that says. Schemas are enforced nowhere: nothing here is an error.
 */
export function checkPaths(program: Program, report: Report): void {
  if (!program.workflows.some(({ inputType, outputType }) => inputType || outputType)) return;
  for (const [workflow, types] of inferDataFlow(program)) {
    for (const sighted of sightingsIn(workflow, types)) {
      const finding = impossiblePathAt(sighted) ?? misspeltMemberAt(sighted);
      if (finding) report(finding);
    }
    checkOutput(workflow, types, report);
  }
}

/** Only what cannot be in any of the expressions that a path stands for, and only where a schema says so. */
function impossiblePathAt(sighted: SightingGroup): Diagnostic | undefined {
  if (sighted.some(({ exists }) => exists)) return undefined;
  const parts = partsOf(sighted);
  const origin = originOf(parts);
  if (!origin || parts.every(({ kind }) => kind === "null")) return undefined;
  const [{ span, step }] = sighted;
  const known = objectsAmong(parts).flatMap(({ members }) => [...members.keys()]);
  return impossiblePath(span, { step, within: nounsOf(partsToName(step, parts)), known }, notesOf(origin, parts));
}

/** Where some values could have such a thing, it is their fault alone. */
function partsToName(step: string | number, parts: readonly PlainType[]): readonly PlainType[] {
  const able = parts.filter(({ kind }) => kind === (typeof step === "string" ? "object" : "array"));
  return able.length > 0 ? able : parts;
}

const partsOf = (sighted: readonly PathStep[]): readonly PlainType[] =>
  sighted.flatMap(({ within }) => alternatives(within));

const objectsAmong = (parts: readonly PlainType[]): readonly ObjectType[] =>
  parts.filter((part) => part.kind === "object");

/** What a schema says of objects comes first. */
const originOf = (parts: readonly PlainType[]): Span | undefined =>
  [...objectsAmong(parts), ...parts].find(({ origin }) => origin !== undefined)?.origin;

const notesOf = (span: Span, parts: readonly PlainType[]): readonly Note[] => [
  {
    message:
      objectsAmong(parts).length > 0 ? "The schema lists the members here." : "The schema says here what this is.",
    span,
  },
];

/** A name that is not listed is legal where others may exist; but when one that is listed is spelt much like it, that is worth a word. */
function misspeltMemberAt(sighted: SightingGroup): Diagnostic | undefined {
  const [{ span, step }] = sighted;
  const objects = objectsAmong(partsOf(sighted));
  const isUnlisted =
    objects.length > 0 &&
    objects.every(({ members, origin }) => origin && members.size > 0 && !members.has(String(step)));
  if (typeof step !== "string" || !isUnlisted) return undefined;
  const known = objects.flatMap(({ members }) => [...members.keys()]);
  if (nearestName(step, known) === undefined) return undefined;
  return unlistedMember(span, { name: step, known }, notesOf(objects[0]!.origin!, objects));
}

/** Looks at each end of the workflow by itself. */
function checkOutput(workflow: Workflow, { before }: DataFlow, report: Report): void {
  const { outputType } = workflow;
  if (!outputType) return;
  const outer = new Set(workflow.body.steps.map(({ id }) => id));
  for (const step of stepsOf(workflow)) {
    const variables = before.get(step.id);
    if (
      !variables ||
      step.kind !== "end" ||
      step.outcome !== "leave" ||
      (step.extent === "scope" && !outer.has(step.id))
    )
      continue;
    const misfit = findMismatch(inferType(step.value, variables), outputType);
    if (!misfit) continue;
    const notes = misfit.origin ? [{ message: "The schema says so here.", span: misfit.origin }] : [];
    report(outputMismatch(step.span, misfit, notes));
  }
}
