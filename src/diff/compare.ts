import type { Program, Workflow } from "../ir/workflow.ts";
import type { JsonObject } from "../json.ts";
import { stemOf } from "../text/file-names.ts";
import { canonicalForm } from "./canonical.ts";
import { definitionChanges } from "./definition-changes.ts";
import { exitChanges } from "./exit-changes.ts";
import { factChanges } from "./fact-changes.ts";
import { fieldChanges, mainFields, type NativeFields, nativeFields } from "./field-changes.ts";
import { type Matching, matchConstructs, type Pair } from "./match.ts";
import type { Change, Detail, ProgramDiff, WorkflowDiff, WorkflowSide } from "./model.ts";
import { type Construct, describeScope, type Outline, outlineOf } from "./outline.ts";
import { placeOf } from "./places.ts";
import { stepChanges, stepNames } from "./step-changes.ts";
import { workflowChange } from "./workflow-changes.ts";

/** The Git revisions of the compared programs, if they were read from any. */
export interface Revisions {
  readonly old?: string | undefined;
  readonly new?: string | undefined;
}

/** Compares two programs. Workflows correspond by id; if each program has only one, these two do. */
export function diffPrograms(old: Program, created: Program, revisions: Revisions = {}): ProgramDiff {
  const workflows = pairWorkflows(old.workflows, created.workflows).map(([before, after]): WorkflowDiff => {
    if (before && after) return diffWorkflows(before, after, revisions);
    return before
      ? { kind: "removed", old: sideOf(before, revisions.old), changes: [] }
      : { kind: "added", new: sideOf(after!, revisions.new), changes: [] };
  });
  return { isEqual: workflows.every(({ kind }) => kind === "equal"), workflows };
}

/** The workflows of two programs that correspond, in the order of the old program and then of the new one. */
export function pairWorkflows(
  old: readonly Workflow[],
  created: readonly Workflow[],
): readonly (readonly [Workflow | undefined, Workflow | undefined])[] {
  if (old.length === 1 && created.length === 1) return [[old[0], created[0]]];
  const open = new Map(created.map((workflow) => [workflow.id, workflow]));
  const pairs = old.map((workflow) => {
    const found = open.get(workflow.id);
    if (found) open.delete(workflow.id);
    return [workflow, found] as const;
  });
  return [...pairs, ...[...open.values()].map((workflow) => [undefined, workflow] as const)];
}

const sideOf = ({ id, language, span }: Workflow, revision: string | undefined): WorkflowSide => ({
  id,
  language,
  ...(revision === undefined ? {} : { revision }),
  at: placeOf(span),
});

/** Compares two workflows. */
export function diffWorkflows(old: Workflow, created: Workflow, revisions: Revisions = {}): WorkflowDiff {
  const sides = { old: sideOf(old, revisions.old), new: sideOf(created, revisions.new) };
  const fields = nativeFields(old, created);
  const renamed = withComparableId(created, old);
  // A comment is not part of what a definition means.
  const comparable = fields ? { ...renamed, description: old.description } : renamed;
  if (canonicalForm(old) === canonicalForm(comparable)) return { kind: "equal", ...sides, changes: [] };
  return { kind: "changed", ...sides, changes: explain(outlineOf(old), outlineOf(comparable), fields) };
}

/** Ids and names that are only those of files are not compared. */
function withComparableId(created: Workflow, old: Workflow): Workflow {
  const isNamedByFile = [old, created].some((workflow) => hasDefaultId(workflow) && workflow.name === workflow.id);
  if (!hasDefaultId(old) && !hasDefaultId(created)) return created;
  return { ...created, id: old.id, name: isNamedByFile ? old.name : created.name };
}

/** Whether the id is that of the file, and the definition itself does not contain it. */
function hasDefaultId({ id, span }: Workflow): boolean {
  const { path, text } = span.source;
  // The stem of `order.asl.json` is `order.asl`.
  return `${stemOf(path)}.`.startsWith(`${id}.`) && !/(?:^|[\s{,"'])id["']?\s*:/i.test(text);
}

function explain(old: Outline, created: Outline, fields: NativeFields | undefined): readonly Change[] {
  const matching = matchConstructs(old, created);
  const starts = exitChanges(old.start, created.start, matching).map((detail) => ({ ...detail, text: "begins with" }));
  const names = { old: stepNames(old, matching.pairs, "old"), new: stepNames(created, matching.pairs, "new") };
  const sameLanguage = old.workflow.language === created.workflow.language;
  const definitions = definitionChanges(old.workflow, created.workflow);
  const redefined = new Set(definitions.flatMap(({ noun, name }) => (noun === "function" ? [name] : [])));
  const inFields = (change: Change): Change => (fields ? changeInFields(change, fields) : change);
  const changes = [
    ...workflowChange(old.workflow, created.workflow, starts).map((change) =>
      fields ? withFields(change, fields.old.whole, fields.new.whole) : change,
    ),
    // The fields of the states that call a function define it.
    ...(fields ? [] : definitions),
    ...matching.pairs.flatMap((pair) =>
      pairChange(pair, matching, names, sameLanguage, fields && redefined).map(inFields),
    ),
    ...matching.removed.flatMap((construct) => singleChange(construct, "removed")).map(inFields),
    ...matching.added.flatMap((construct) => singleChange(construct, "added")).map(inFields),
  ];
  return changes.length > 0 ? changes : [unexplained(old, created)];
}

/** The canonical forms differ, but nothing that has words. */
function unexplained({ workflow: old }: Outline, { workflow: created }: Outline): Change {
  return {
    kind: "changed",
    noun: "workflow",
    name: created.id,
    old: placeOf(old.span),
    new: placeOf(created.span),
    details: [
      { aspect: "steps", kind: "changed", text: "generated steps: compare `waybill compile --emit ir` of both" },
    ],
  };
}

/** A change in the words of the definitions' fields, if these differ. */
function changeInFields(change: Change, fields: NativeFields): Change {
  const before = fields.old.constructs.get(change.oldName ?? change.name);
  const after = fields.new.constructs.get(change.name);
  if (change.kind === "added") return after ? { ...change, details: mainFields(after, "added") } : change;
  if (change.kind === "removed") return before ? { ...change, details: mainFields(before, "removed") } : change;
  return before && after ? withFields(change, before, after) : change;
}

function withFields(change: Change, old: JsonObject, created: JsonObject): Change {
  const found = fieldChanges(old, created);
  const kept = change.details.filter(({ aspect, text }) => aspect === "place" || text === "id" || text === "name");
  return found.length === 0 ? change : { ...change, details: [...kept, ...found] };
}

/** `redefined`: the functions whose definitions are reported with the constructs that call them. */
function pairChange(
  { old, new: created, isRenamed, isMoved }: Pair,
  matching: Matching,
  names: Parameters<typeof stepChanges>[2],
  sameLanguage: boolean,
  redefined: ReadonlySet<string> | undefined,
): readonly Change[] {
  if (!old.span || !created.span) return [];
  const found: readonly Detail[] = [
    ...(isMoved ? [placeChange(old, created)] : []),
    ...(sameLanguage && old.noun !== created.noun ? [nounChange(old, created)] : []),
    ...factChanges(old.facts, created.facts, sameLanguage),
    ...exitChanges(old, created, matching),
  ];
  const details = found.length > 0 ? found : stepChanges(old, created, names);
  const calls = created.steps.flatMap((step) => (step.kind === "call" ? [step.function.name] : []));
  const isRedefined = calls.some((name) => redefined?.has(name));
  if (details.length === 0 && !isRenamed && !isRedefined) return [];
  return [
    {
      kind: isRenamed ? "renamed" : isMoved ? "moved" : "changed",
      noun: created.noun ?? created.kind,
      name: created.label,
      ...(isRenamed ? { oldName: old.label } : {}),
      ...within(created),
      old: placeOf(old.span),
      new: placeOf(created.span),
      details,
    },
  ];
}

const within = (construct: Construct): Pick<Change, "within"> => {
  const scope = describeScope(construct);
  return scope === undefined ? {} : { within: scope };
};

const placeChange = (old: Construct, created: Construct): Detail => ({
  aspect: "place",
  kind: "changed",
  text: "moved",
  old: { text: describeScope(old) ?? "the workflow itself" },
  new: { text: describeScope(created) ?? "the workflow itself" },
});

const nounChange = (old: Construct, created: Construct): Detail => ({
  aspect: "kind",
  kind: "changed",
  text: "kind",
  old: { text: old.noun ?? old.kind },
  new: { text: created.noun ?? created.kind },
});

/** An added or removed construct; the implicit ends are the transitions to them. */
function singleChange(construct: Construct, kind: "added" | "removed"): readonly Change[] {
  if (!construct.span) return [];
  const nothing: readonly never[] = [];
  const details =
    kind === "added" ? factChanges(nothing, construct.facts, true) : factChanges(construct.facts, nothing, true);
  return [
    {
      kind,
      noun: construct.noun ?? construct.kind,
      name: construct.label,
      ...within(construct),
      [kind === "added" ? "new" : "old"]: placeOf(construct.span),
      details: details.filter(({ text }) => isMain(text)),
    },
  ];
}

/** Of a construct that one version lacks, only what it does is of interest, not how. */
const isMain = (text: string): boolean =>
  ["calls", "starts", "emits", "waits", "events", "branches", "collection", "fails with"].includes(text);
