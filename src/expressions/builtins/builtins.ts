import type { Builtin } from "./builtin.ts";
import { dialectFunctions } from "./dialect.ts";
import { jqFunctions } from "./jq.ts";

export type { Builtin, Closure, Outcome, Outputs } from "./builtin.ts";

/** The function of that name and number of arguments. */
export const builtinOf = (name: string, arity: number): Builtin | undefined => builtins.get(`${name}/${arity}`);

/** All functions of the core, by `name/arity`. */
export const builtins: ReadonlyMap<string, Builtin> = new Map(
  [...jqFunctions, ...dialectFunctions].map((builtin) => [`${builtin.name}/${builtin.arity}`, builtin]),
);
