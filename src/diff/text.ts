import { visible } from "../diagnostics/renderers/text.ts";
import type { Change, Detail, Place, ProgramDiff, Value, WorkflowDiff, WorkflowSide } from "./model.ts";
import { shortenBoth } from "./shorten.ts";

/** Renders the differences for a terminal: a line per change, and one per detail. */
export function renderDiff({ workflows }: ProgramDiff, { color = false }: { readonly color?: boolean } = {}): string {
  const paint = color ? colored : plain;
  return workflows.map((workflow) => `${workflowLines(workflow, paint).join("\n")}\n`).join("\n");
}

type Mark = Change["kind"] | "bold" | "dim";
type Paint = (text: string, style: Mark) => string;

const plain: Paint = (text) => text;
const colored: Paint = (text, style) => `\u001b[${codes[style]}m${text}\u001b[0m`;
const codes: { readonly [style in Mark]: string } = {
  added: "32",
  removed: "31",
  changed: "33",
  renamed: "36",
  moved: "36",
  bold: "1",
  dim: "2",
};

const marks: { readonly [kind in Change["kind"]]: string } = {
  added: "+",
  removed: "-",
  changed: "~",
  renamed: "~",
  moved: "~",
};

function workflowLines(diff: WorkflowDiff, paint: Paint): readonly string[] {
  const { kind, old, new: created, changes } = diff;
  const name = visible((created ?? old)!.id);
  if (kind === "added" || kind === "removed")
    return [paint(`${marks[kind]} workflow ${name} (${visible(pathOf((created ?? old)!))})`, kind)];
  const paths = visible([...new Set([pathOf(old!), pathOf(created!)])].join(" → "));
  const title = paint(`workflow ${name}`, "bold");
  if (kind === "equal") return [`${title} (${paths}): no differences`];
  return [
    `${title} (${paths})`,
    ...changes.flatMap((change) => changeLines(change, paint).map((line) => `  ${line}`)),
    `  ${summary(changes)}`,
  ];
}

const pathOf = ({ revision, at }: WorkflowSide): string =>
  revision === undefined ? at.path : `${revision}:${at.path}`;

function changeLines(change: Change, paint: Paint): readonly string[] {
  const { kind, within, details, old, new: created } = change;
  const place = paint(`  ${visible(placesText(old, created))}`, "dim");
  const scope = within === undefined ? "" : ` in ${visible(within)}`;
  return [
    `${paint(`${marks[kind]} ${visible(changeTitle(change))}`, kind)}${scope}${place}`,
    ...details.flatMap((detail) => detailLines(detail, change, paint).map((line) => `    ${line}`)),
  ];
}

/** A change in words: `operation state Send (was Dispatch)`. */
export const changeTitle = ({ noun, name, oldName }: Change): string =>
  `${noun} ${name}${oldName === undefined ? "" : ` (renamed from ${oldName})`}`;

/** `old.yaml:3 → new.yaml:5`. */
export function placesText(old: Place | undefined, created: Place | undefined): string {
  const places = [old, created].flatMap((place) => (place ? [`${place.path}:${place.line}`] : []));
  return [...new Set(places)].join(" → ");
}

function detailLines(detail: Detail, change: Change, paint: Paint): readonly string[] {
  const { kind, text } = detail;
  const [old, created] = shortenBoth(detail.old?.text, detail.new?.text);
  const lines = paint(linesOf(detail, change), "dim");
  const label = old === undefined && created === undefined ? visible(text) : `${visible(text)}:`;
  if (old === undefined && created === undefined) return [`${label}${lines}`];
  if (old === undefined || created === undefined)
    return [`${paint(`${marks[kind]} ${label} ${old ?? created}`, kind)}${lines}`];
  if (text.length + old.length + created.length <= maxLine) return [`${label} ${old} → ${created}${lines}`];
  return [`${label}${lines}`, `  ${paint(`- ${old}`, "removed")}`, `  ${paint(`+ ${created}`, "added")}`];
}

const maxLine = 84;

/** The lines of a detail that are not those of its change. */
function linesOf({ old, new: created }: Detail, change: Change): string {
  const isOwn = (value: Value | undefined, place: Place | undefined): boolean =>
    value?.at === undefined || value.at.line === place?.line;
  if (isOwn(old, change.old) && isOwn(created, change.new)) return "";
  const lines = [old?.at?.line, created?.at?.line].filter((line) => line !== undefined);
  return `  line ${[...new Set(lines)].join(" → ")}`;
}

/** `3 changes: 1 added, 2 changed`. */
export function summary(changes: readonly Change[]): string {
  const kinds = (["added", "removed", "renamed", "moved", "changed"] as const).flatMap((kind) => {
    const count = changes.filter((change) => change.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}`];
  });
  return `${changes.length} ${changes.length === 1 ? "difference" : "differences"}: ${kinds.join(", ")}`;
}
