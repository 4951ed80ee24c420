import { builtinOf } from "../builtins/builtins.ts";

/** The runtime function of a builtin over values, if it has one. */
export function functionName(name: string, arity: number): string | undefined {
  const builtin = builtinOf(name, arity);
  return builtin?.kind === "value" ? builtin.javascript : undefined;
}
