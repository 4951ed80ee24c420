import fc, { type Arbitrary } from "fast-check";
import { isObject, type Json, setOwn } from "../../../src/json.ts";
import { among } from "../draw.ts";
import { hostileName } from "../hostile.ts";

/** The kinds of names in definitions and scenarios. */
export const named = [
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

export type Named = (typeof named)[number];

/** The names of one program. */
export interface Names {
  /** Maps a plain name to the name that the program uses, mostly itself. */
  of(kind: Named, plain: string): string;
  /** Renames the keys of a value. */
  members(value: Json): Json;
  /** Renames the keys and strings of a value. */
  inside(value: Json): Json;
}

/** A replacement for the n-th name of a kind. */
export interface Strange {
  readonly kind: Named;
  readonly nth: number;
  readonly name: string;
}

/** A few hostile names. */
export const strangeNames = (most: number): Arbitrary<readonly Strange[]> =>
  fc.array(fc.record({ kind: among(...named), nth: fc.nat(2), name: hostileName }), { maxLength: most, size: "max" });

/** Replaces some plain names with hostile ones. Names of one kind stay distinct. */
export function namesWith(strange: readonly Strange[]): Names {
  const known = new Map<string, string>();
  const taken = new Map<string, Set<string>>();
  const counts = new Map<Named, number>();
  const names: Names = {
    of(kind, plain) {
      const key = `${kind} ${plain}`;
      const before = known.get(key);
      if (before !== undefined) return before;
      const nth = counts.get(kind) ?? 0;
      counts.set(kind, nth + 1);
      const others = taken.get(togetherWith[kind] ?? kind) ?? new Set();
      taken.set(togetherWith[kind] ?? kind, others);
      const wanted = strange.find((one) => one.kind === kind && one.nth === nth)?.name;
      const name = wanted === undefined || others.has(wanted) || !isFit(kind, wanted) ? plain : wanted;
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
const togetherWith: { readonly [kind in Named]?: string } = { id: "state", function: "workflow" };

/**
 * Whether a kind allows a name. Keys need well-formed Unicode, conditions without a language have no backslash, and
 * only platforms raise `States.…`.
 */
function isFit(kind: Named, name: string): boolean {
  if (kind === "key" || kind === "token") return name.isWellFormed();
  if (kind === "error" || kind === "message") return !name.includes("\\") && !name.startsWith("States.");
  return kind !== "text" || (name.isWellFormed() && !name.includes("\\"));
}

/** Returns the JSONPath of a key path. */
export const pathTo = (names: Names, keys: readonly string[]): string =>
  `$${keys.map((key) => segment(names.of("key", key))).join("")}`;

const segment = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`);
