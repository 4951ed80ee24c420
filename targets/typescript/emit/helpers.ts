import { helperWord } from "../expressions/helpers.ts";
import type { Module } from "./module.ts";

export { helperType } from "../expressions/helpers.ts";

/** Takes note that a function of the expressions' runtime is called; the name by which it is called. */
export function helperName({ helpers, names: taken }: Module, helper: string): string {
  const known = helpers.get(helper);
  if (known !== undefined) return known;
  const name = taken.fresh(helperWord(helper));
  helpers.set(helper, name);
  return name;
}
