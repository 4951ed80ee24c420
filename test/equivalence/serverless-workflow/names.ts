import fc, { type Arbitrary } from "fast-check";
import { isObject, type Json, setOwn } from "../../../src/json.ts";
import { among } from "../arbitraries.ts";
import { hostileName } from "../hostile.ts";

/** The kinds of names in definitions and scenarios. */
export const nameKinds = [
  "state",
  "id",
  "branch",
  "function",
  "event",
  "workflow",
  "action",
  "type",
  "source",
  "resource",
  "key",
  "title",
  "version",
  "description",
  "token",
  "error",
  "message",
  "text",
] as const;

export type NameKind = (typeof nameKinds)[number];

/** The names of one program. */
export interface ProgramNames {
  /** Maps a plain name to the name that the program uses, mostly itself. */
  of(kind: NameKind, plain: string): string;
  /** Renames the keys of a value. */
  members(value: Json): Json;
  /** Renames the keys and strings of a value. */
  inside(value: Json): Json;
}

/** A replacement for the n-th name of a kind. */
export interface NameReplacement {
  readonly kind: NameKind;
  readonly nth: number;
  readonly name: string;
}

/** A few hostile names. */
export const someReplacements = (maxLength: number): Arbitrary<readonly NameReplacement[]> =>
  fc.array(fc.record({ kind: among(...nameKinds), nth: fc.nat(2), name: hostileName }), {
    maxLength,
    size: "max",
  });

/** Replaces some plain names with hostile ones. Names of one kind stay distinct. */
export function namesWith(replacements: readonly NameReplacement[]): ProgramNames {
  const known = new Map<string, string>();
  const used = new Map<string, Set<string>>();
  const counts = new Map<NameKind, number>();
  const names: ProgramNames = {
    of(kind, plain) {
      const key = `${kind} ${plain}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const nth = counts.get(kind) ?? 0;
      counts.set(kind, nth + 1);
      const others = used.get(sharedNamespaces[kind] ?? kind) ?? new Set();
      used.set(sharedNamespaces[kind] ?? kind, others);
      const wanted = replacements.find((one) => one.kind === kind && one.nth === nth)?.name;
      const name = wanted === undefined || others.has(wanted) || !isAllowed(kind, wanted) ? plain : wanted;
      others.add(name);
      known.set(key, name);
      return name;
    },
    members: (value) => within(value, (item) => item),
    inside: (value) => within(value, (item) => (typeof item === "string" ? names.of("text", item) : item)),
  };
  const within = (value: Json, scalar: (item: Json) => Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => within(item, scalar));
    if (!isObject(value)) return scalar(value);
    const renamed: { [key: string]: Json } = {};
    for (const [key, item] of Object.entries(value))
      setOwn(renamed, names.of("key", key), within(item as Json, scalar));
    return renamed;
  };
  return names;
}

/** Kinds that share a namespace with another kind. */
const sharedNamespaces: { readonly [kind in NameKind]?: string } = { id: "state", function: "workflow" };

/**
 * Whether a kind allows a name. Keys need well-formed Unicode, conditions without a language have no backslash, and
 * only platforms raise `States.…`.
 */
function isAllowed(kind: NameKind, name: string): boolean {
  if (kind === "key" || kind === "token") return name.isWellFormed();
  if (kind === "error" || kind === "message") return !name.includes("\\") && !name.startsWith("States.");
  return kind !== "text" || (name.isWellFormed() && !name.includes("\\"));
}

/** Returns the JSONPath of a key path. */
export const pathTo = (names: ProgramNames, keys: readonly string[]): string =>
  `$${keys.map((key) => segment(names.of("key", key))).join("")}`;

const segment = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);
