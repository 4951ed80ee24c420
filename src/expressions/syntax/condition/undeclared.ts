import { cel } from "../cel/cel.ts";
import { jexl } from "../jexl/jexl.ts";
import { spel } from "../spel/spel.ts";
import { readNumberLike } from "./lexer.ts";
import type { LanguageRules } from "./reader.ts";
import { readQuoted } from "./strings.ts";

/** What the three languages read alike, and what only one of them has, without what has several meanings. */
export const undeclared: LanguageRules = {
  title: undefined,
  infix: without([...jexl.infix, ...cel.infix, ...spel.infix], ["?:"]),
  methods: without([...jexl.methods, ...cel.methods, ...spel.methods], ["matches"]),
  functions: new Map([...cel.functions, ...spel.functions, ...jexl.functions]),
  lists: "[",
  defaulted: [],
  concatenates: true,
  excluded: new Map([
    ...cel.excluded,
    ...jexl.excluded,
    ...spel.excluded,
    ["?:", "`?:`, whose meaning differs between languages, is"],
    ["{", "`{…}`, whose meaning differs between languages, is"],
  ]),
  readString: (cursor) => readQuoted(cursor, { backslash: "ambiguous" }),
  readNumber: (cursor) => readNumberLike(cursor, /^$/),
  readPrimary: (reader) => spel.readPrimary?.(reader) ?? jexl.readPrimary?.(reader),
  readPostfix: (reader, operand) => spel.readPostfix?.(reader, operand),
};

function without<T>(entries: readonly (readonly [string, T])[], names: readonly string[]): ReadonlyMap<string, T> {
  return new Map(entries.filter(([name]) => !names.includes(name)));
}
