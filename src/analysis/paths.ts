import { impossiblePath, outputMismatch, unlistedMember } from "../diagnostics/data.ts";
import { inferType, type PathStep } from "../expressions/index.ts";
import { stepsOf } from "../ir/walk.ts";
import type { Program, Workflow } from "../ir/workflow.ts";
import type { Diagnostic, Note, Report } from "../text/diagnostics.ts";
import { nearestName } from "../text/messages.ts";
import type { Span } from "../text/source.ts";
import type { ObjectType, PlainType } from "../types/index.ts";
import { alternatives, findMismatch, nounsOf } from "../types/index.ts";
import { type DataFlow, inferDataFlow } from "./types/flow.ts";
import { type SightingGroup, sightingsIn } from "./types/sightings.ts";

/** Checks paths and outputs against declared schemas; only warns. */
export function checkPaths(program: Program, report: Report): void {
  if (!program.workflows.some(({ inputType, outputType }) => inputType || outputType)) return;
  for (const [workflow, types] of inferDataFlow(program)) {
    for (const sightings of sightingsIn(workflow, types)) {
      const finding = impossiblePathAt(sightings) ?? misspeltMemberAt(sightings);
      if (finding) report(finding);
    }
    checkOutput(workflow, types, report);
  }
}

/** All contexts must rule the path out. */
function impossiblePathAt(sightings: SightingGroup): Diagnostic | undefined {
  if (sightings.some(({ exists }) => exists)) return undefined;
  const parts = partsOf(sightings);
  const origin = originOf(parts);
  if (!origin || parts.every(({ kind }) => kind === "null")) return undefined;
  const [{ span, step }] = sightings;
  const known = objectsAmong(parts).flatMap(({ members }) => [...members.keys()]);
  return impossiblePath(span, { step, within: nounsOf(partsToName(step, parts)), known }, notesOf(origin, parts));
}

function partsToName(step: string | number, parts: readonly PlainType[]): readonly PlainType[] {
  const able = parts.filter(({ kind }) => kind === (typeof step === "string" ? "object" : "array"));
  return able.length > 0 ? able : parts;
}

const partsOf = (sightings: readonly PathStep[]): readonly PlainType[] =>
  sightings.flatMap(({ within }) => alternatives(within));

const objectsAmong = (parts: readonly PlainType[]): readonly ObjectType[] =>
  parts.filter((part) => part.kind === "object");

const originOf = (parts: readonly PlainType[]): Span | undefined =>
  [...objectsAmong(parts), ...parts].find(({ origin }) => origin !== undefined)?.origin;

const notesOf = (span: Span, parts: readonly PlainType[]): readonly Note[] => [
  {
    message:
      objectsAmong(parts).length > 0 ? "The schema lists the members here." : "The schema says here what this is.",
    span,
  },
];

function misspeltMemberAt(sightings: SightingGroup): Diagnostic | undefined {
  const [{ span, step }] = sightings;
  const objects = objectsAmong(partsOf(sightings));
  const isUnlisted =
    objects.length > 0 &&
    objects.every(({ members, origin }) => origin && members.size > 0 && !members.has(String(step)));
  if (typeof step !== "string" || !isUnlisted) return undefined;
  const known = objects.flatMap(({ members }) => [...members.keys()]);
  if (nearestName(step, known) === undefined) return undefined;
  return unlistedMember(span, { name: step, known }, notesOf(objects[0]!.origin!, objects));
}

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
    const mismatch = findMismatch(inferType(step.value, variables), outputType);
    if (!mismatch) continue;
    const notes = mismatch.origin ? [{ message: "The schema says so here.", span: mismatch.origin }] : [];
    report(outputMismatch(step.span, mismatch, notes));
  }
}
