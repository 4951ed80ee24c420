import type { Document } from "../documents/index.ts";
import type { NameKind, NamePlace, NamePlaces } from "../language.ts";
import type { Span } from "../text/source.ts";
import { placeOf } from "./places.ts";
import { pathOf } from "./schema.ts";
import { nodesOf } from "./tree.ts";

/** What a scenario file or a configuration names: also definitions by path, and events by their type. */
export type MentionKind = NameKind | "eventType" | "path";

/** A name in a scenario file or a configuration. */
export interface Mention {
  readonly kind: MentionKind;
  readonly name: string;
  readonly span: Span;
}

/** The files that name parts of definitions. */
export type MentioningKind = "scenarios" | "configuration";

const runs: readonly (readonly string[])[] = [
  ["scenarios", "*"],
  ["scenarios", "*", "runs", "*"],
];

const at = (at: NamePlace["at"], kind: MentionKind, ...path: readonly string[]): NamePlace<MentionKind> => ({
  path,
  at,
  kind,
});

/** Where scenario files and configurations have names. */
export const mentionPlaces: { readonly [kind in MentioningKind]: NamePlaces<MentionKind> } = {
  scenarios: {
    places: [
      at("value", "path", "workflow"),
      at("key", "workflow", "subflows", "*"),
      at("value", "path", "subflows", "*"),
      at("key", "function", "scenarios", "*", "functions", "*"),
      at("value", "eventType", "scenarios", "*", "events", "*", "event", "type"),
      at("value", "eventType", "scenarios", "*", "runs", "*", "startedBy"),
      ...runs.flatMap((run) => [
        at("key", "function", ...run, "expect", "calls", "*", "*"),
        at("key", "function", ...run, "expect", "maybe", "*", "*"),
        at("value", "eventType", ...run, "expect", "emitted", "*", "type"),
        at("value", "state", ...run, "expect", "tasks", "first"),
        at("value", "state", ...run, "expect", "tasks", "last"),
        at("value", "state", ...run, "expect", "tasks", "order", "*", "*"),
      ]),
    ],
    dataKeys: [],
  },
  configuration: {
    places: [
      at("key", "function", "functions", "*"),
      at("key", "event", "events", "*"),
      at("key", "workflow", "workflows", "*"),
      at("value", "path", "workflows", "*"),
    ],
    dataKeys: [],
  },
};

/** Finds the names in a scenario file or a configuration. */
export function mentionsIn(document: Document, kind: MentioningKind): readonly Mention[] {
  const places = mentionPlaces[kind];
  return nodesOf(document).flatMap((node): readonly Mention[] => {
    const { key, value, parent } = node;
    if (!parent || key === undefined) return [];
    const path = pathOf(node);
    return (["key", "value"] as const).flatMap((at) => {
      const name = at === "key" ? key : value;
      const place = typeof name === "string" ? placeOf(path, at, places) : undefined;
      if (!place || typeof name !== "string") return [];
      return [{ kind: place.kind, name, span: document.spanOf(parent.value as object, key, at) }];
    });
  });
}
