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

/** Checks paths and outputs against declared schemas and the types of results and events; only warns. */
export function checkPaths(program: Program, report: Report): void {
  if (!program.workflows.some(isTyped)) return;
  for (const [workflow, types] of inferDataFlow(program)) {
    for (const sightings of sightingsIn(workflow, types)) {
      const finding = impossiblePathAt(sightings) ?? misspeltMemberAt(sightings);
      if (finding) report(finding);
    }
    checkOutput(workflow, types, report);
  }
}

const isTyped = ({ inputType, outputType, functions, events }: Workflow): boolean =>
  inputType !== undefined ||
  outputType !== undefined ||
  functions.some(({ resultType }) => resultType) ||
  events.some(({ dataType }) => dataType);

/** All contexts must rule the path out. */
function impossiblePathAt(sightings: SightingGroup): Diagnostic | undefined {
  if (sightings.some(({ exists }) => exists)) return undefined;
  const parts = partsOf(sightings);
  const origin = originOf(parts);
  if (!origin || parts.every(({ kind }) => kind === "null")) return undefined;
  const [{ span, step }] = sightings;
  const known = objectsAmong(parts).flatMap(({ members }) => [...members.keys()]);
  const within = nounsOf(partsToName(step, parts));
  return impossiblePath(span, { step, within, known, declaration: declarationAt(origin) }, notesOf(origin, parts));
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
    message: `The ${declarationAt(span)} ${objectsAmong(parts).length > 0 ? "lists the members here" : "says here what this is"}.`,
    span,
  },
];

/** Types are declared by schemas and by modules of TypeScript and JavaScript. */
const declarationAt = ({ source }: Span): "schema" | "type" => (/\.[cm]?[jt]s$/.test(source.path) ? "type" : "schema");

function misspeltMemberAt(sightings: SightingGroup): Diagnostic | undefined {
  const [{ span, step }] = sightings;
  const objects = objectsAmong(partsOf(sightings));
  const isUnlisted =
    objects.length > 0 &&
    objects.every(({ members, origin }) => origin && members.size > 0 && !members.has(String(step)));
  if (typeof step !== "string" || !isUnlisted) return undefined;
  const known = objects.flatMap(({ members }) => [...members.keys()]);
  if (nearestName(step, known) === undefined) return undefined;
  const origin = objects[0]!.origin!;
  return unlistedMember(span, { name: step, known, declaration: declarationAt(origin) }, notesOf(origin, objects));
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
