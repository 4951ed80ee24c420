import { isAtom } from "./text.ts";
import { type Exit, fresh, helper, type Site, type Writer } from "./writer.ts";

/** A value of the program being written, and, where paths are told, where it stands. */
export interface Place {
  /** JavaScript for the value: to be evaluated once, before anything else; any number of times if it is an atom, as it is wherever paths are told. */
  readonly value: string;
  readonly path?: Route | undefined;
  /** JavaScript for the value at the path, an atom, where it may be another one than `value`: jq then fails when the path is to be used. */
  readonly at?: string | undefined;
  /** Whether a text or number is the very one that it was made from. */
  readonly copied?: boolean | undefined;
}

/** A path, as an array and keys to be added to it. */
export interface Route {
  /** The name of the array; undefined: the empty one. */
  readonly root: string | undefined;
  /** Atoms. */
  readonly keys: readonly string[];
  /** Whether the array may be undefined at run time: then no path is wanted. */
  readonly dynamic: boolean;
}

/** The path that begins here. */
export const emptyRoute: Route = { root: undefined, keys: [], dynamic: false };

/** A route with one more key. */
export const routeTo = (route: Route, key: string): Route => ({ ...route, keys: [...route.keys, key] });

/** A route that a name stands for. */
export const routeNamed = (root: string, { dynamic }: Route): Route => ({ root, keys: [], dynamic });

/** The array of a route. */
export function routeCode({ root, keys, dynamic }: Route, writer: Writer): string {
  const added = `[${keys.join(", ")}]`;
  if (root === undefined) return added;
  if (keys.length === 0) return root;
  return dynamic ? `${helper(writer, "extended")}(${root}, ${added})` : `${root}.concat(${added})`;
}

/** What makes statements of a value: exactly one of each of its outputs. */
export interface Sink {
  /** Whether its text is short and always the same, so that it may be written twice. */
  readonly small: boolean;
  /** The function that it does nothing but call, and what it may leave to. */
  readonly callback?: { readonly name: string; readonly passes: Exit } | undefined;
  write(place: Place, site: Site): string;
}

/** A sink of any size. */
export const sinkOf = (write: Sink["write"]): Sink => ({ small: false, write });

/** A sink whose text is short. */
export const smallSink = (write: (value: string, site: Site) => string): Sink => ({
  small: true,
  write: ({ value }, site) => write(value, site),
});

/** Text that uses a value several times, or later. */
export function bound(writer: Writer, code: string, use: (atom: string) => string): string {
  if (isAtom(code)) return use(code);
  const name = fresh(writer, "v");
  return `const ${name} = ${code};\n${use(name)}`;
}

/** The place with a value that may be used several times. */
export function boundPlace(writer: Writer, place: Place, use: (place: Place) => string): string {
  return isAtom(place.value) ? use(place) : bound(writer, place.value, (value) => use({ ...place, value }));
}

/** Evaluates what nobody uses. */
export const dropped = (code: string): string =>
  isAtom(code) ? "" : code.startsWith("{") ? `(${code});\n` : `${code};\n`;

/** The same value, no matter where it stands. */
export const plainPlace = (place: Place): Place => (place.path ? { value: place.value } : place);

/** A value computed where paths are told: the path is still that of the place it was computed from. */
export function computedAt(place: Place, value: string, copied: boolean): Place {
  return { value, path: place.path, at: place.at ?? place.value, copied };
}

/** A statement that fails unless a value is still the one at its path. */
export function checked(
  writer: Writer,
  place: Place,
  name: "checkAccess" | "checkIteration" | "checkPlace",
  ...more: readonly string[]
): string {
  if (place.at === undefined || place.at === place.value || !place.path) return "";
  const condition = place.path.dynamic ? `if (${place.path.root} !== undefined) ` : "";
  return `${condition}${helper(writer, name)}(${[place.value, place.at, String(place.copied ?? true), ...more].join(", ")});\n`;
}
