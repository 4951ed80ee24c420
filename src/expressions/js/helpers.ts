import { builtinOf } from "../builtins/builtins.ts";

/** The function of the runtime that a function of values calls; undefined if there is none. */
export function functionName(name: string, arity: number): string | undefined {
  const builtin = builtinOf(name, arity);
  return builtin?.kind === "value" ? builtin.javascript : undefined;
}
