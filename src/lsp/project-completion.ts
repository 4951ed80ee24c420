import { isExternal } from "../ir/protocols.ts";
import { isObject, type Json } from "../json.ts";
import type { Source } from "../text/source.ts";
import {
  type Completion,
  findPlaceholder,
  schemaKeys,
  schemaValues,
  valueAt,
  variantsOf,
  written,
  writtenKey,
} from "./completion.ts";
import { type Cursor, cursorAt } from "./cursor.ts";
import { readForEditor } from "./definition.ts";
import { type MentioningKind, type MentionKind, mentionPlaces } from "./mentions.ts";
import { placeOf } from "./places.ts";
import type { ProjectView } from "./project.ts";
import type { DataPath } from "./schema.ts";

/** What a completion in a scenario file or a configuration needs. */
export interface ProjectCompletionRequest {
  readonly source: Source;
  readonly kind: MentioningKind;
  readonly offset: number;
  readonly schema: Json;
  /** The definitions that the file is about. */
  readonly view: ProjectView | undefined;
}

/** Completes keys, values, and names of definitions in a scenario file or a configuration. */
export function projectCompletionsAt(request: ProjectCompletionRequest): readonly Completion[] {
  const { source, offset, schema } = request;
  const cursor = cursorAt(source, offset);
  for (const { text, isKey } of variantsOf(source, cursor)) {
    for (const { value } of readForEditor({ path: source.path, text }).documents) {
      const path = findPlaceholder(value);
      if (!path) continue;
      const listed = isKey
        ? schemaKeys(schema, value, path, cursor, source)
        : schemaValues(schema, value, path, cursor);
      const items = [...listed, ...namesAt(value, path, isKey, cursor, request)];
      if (items.length > 0) return items;
    }
  }
  return [];
}

function namesAt(
  root: Json,
  path: DataPath,
  isKey: boolean,
  cursor: Cursor,
  { source, kind, view }: ProjectCompletionRequest,
): readonly Completion[] {
  const place = placeOf(isKey ? [...path, "*"] : path, isKey ? "key" : "value", mentionPlaces[kind]);
  if (!place || !view) return [];
  const owner = isKey ? valueAt(root, path) : undefined;
  const present = new Set(isObject(owner) ? Object.keys(owner) : []);
  const names = namesOf(place.kind, source, kind, view).filter((name) => !present.has(name));
  const nounOf = { eventType: "event type", path: "definition" };
  return names.map((name) => ({
    label: name,
    kind: place.kind === "eventType" ? "event" : place.kind === "path" ? "value" : place.kind,
    detail: place.kind === "eventType" || place.kind === "path" ? nounOf[place.kind] : place.kind,
    newText: isKey ? writtenKey(name, cursor, source) : written(name, cursor),
    start: cursor.start,
    end: cursor.end,
  }));
}

function namesOf(kind: MentionKind, source: Source, from: MentioningKind, view: ProjectView): readonly string[] {
  const file = view.scenarios.find((each) => each.source === source);
  const covers = (path: string): boolean =>
    from === "configuration" || file === undefined || file.definitions.has(path);
  const parts = view.parts.filter(({ document }) => covers(document.source.path));
  const workflows = parts.flatMap(({ workflow }) => workflow ?? []);
  switch (kind) {
    case "function":
      return unique(
        workflows.flatMap(({ functions }) => functions.filter(({ protocol }) => isExternal(protocol))).map(nameOf),
      );
    case "event":
      return unique(workflows.flatMap(({ events }) => events).map(nameOf));
    case "eventType":
      return unique(workflows.flatMap(({ events }) => events.flatMap(({ type }) => type ?? [])));
    case "state":
      return unique(
        parts.flatMap(({ names }) => names.filter((site) => site.kind === kind && site.isDefinition)).map(nameOf),
      );
    case "workflow":
      return unique(view.parts.flatMap(({ workflow }) => workflow?.id ?? []));
    case "path":
      return unique(view.input.sources.map(({ path }) => relativeTo(source.path, path)));
    default:
      return [];
  }
}

const nameOf = ({ name }: { readonly name: string }): string => name;

const unique = (names: readonly string[]): readonly string[] => [...new Set(names)];

/** A path as a file names another one. */
function relativeTo(from: string, to: string): string {
  const [folders, steps] = [from.split("/").slice(0, -1), to.split("/")];
  let common = 0;
  while (common < folders.length && common < steps.length - 1 && folders[common] === steps[common]) common += 1;
  const up = folders.slice(common).map(() => "..");
  return [...(up.length > 0 ? up : ["."]), ...steps.slice(common)].join("/");
}
