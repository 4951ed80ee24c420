import { drawnCalls, isParseError, parseJsonata, readsTime } from "../../expressions/index.ts";
import type { State } from "../../generated/asl-definition.ts";
import type { BuiltIn } from "../../ir/protocols.ts";
import { isObject } from "../../json.ts";
import { isProgram } from "./dialects.ts";
import { innerOwners } from "./graph.ts";

/** What the expressions of a state in JSONata read that calls of built-in functions record. */
export interface QueriedValues {
  /** The variable with the time. */
  readonly clock: string | undefined;
  /** The variables with the values of `$uuid()` and `$random()`, by the owner and the key of the expression. */
  readonly draws: ReadonlyMap<object, ReadonlyMap<string, readonly string[]>>;
  /** The built-in functions and the variables that take their results, in the order of the source. */
  readonly calls: readonly (readonly [kind: BuiltIn["kind"], bind: string])[];
}

/** Declares variables for what the expressions of a state read. */
export function queriedValues(state: State, fresh: (wanted: string) => string): QueriedValues {
  const draws = new Map<object, Map<string, readonly string[]>>();
  const calls: (readonly [BuiltIn["kind"], string])[] = [];
  let clock: string | undefined;
  const record = (kind: BuiltIn["kind"], wanted: string): string => {
    const bind = fresh(wanted);
    calls.push([kind, bind]);
    return bind;
  };
  for (const { owner, key, text } of programsIn(state, innerOwners(state))) {
    if (!/\$(?:now|millis|toMillis|uuid|random)\b/.test(text)) continue;
    const tree = parseJsonata(text.slice(2, -2).trim());
    if (isParseError(tree)) continue;
    if (readsTime(tree)) clock ??= record("clock", "now");
    const names = drawnCalls(tree).map(({ name }) => record(name === "uuid" ? "id" : "random", name));
    if (names.length > 0) draws.set(owner, new Map([...(draws.get(owner) ?? []), [key, names]]));
  }
  return { clock, draws, calls };
}

interface ProgramText {
  readonly owner: object;
  readonly key: string;
  readonly text: string;
}

/** The expressions of a state, without those of inner scopes. */
function programsIn(value: object, inner: readonly object[]): readonly ProgramText[] {
  return Object.entries(value).flatMap(([key, member]: [string, unknown]): readonly ProgramText[] => {
    if (typeof member === "string") return isProgram(member) ? [{ owner: value, key, text: member }] : [];
    if (inner.includes(member as object)) return [];
    return isObject(member) || Array.isArray(member) ? programsIn(member, inner) : [];
  });
}
