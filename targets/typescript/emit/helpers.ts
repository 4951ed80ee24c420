import type { Module } from "./module.ts";

/** Names for functions of the expressions' runtime that say more in a program than their own. */
const names: { readonly [helper: string]: string } = {
  mergeJson: "merge",
  absorbJson: "absorb",
  placeJson: "place",
  changesJson: "changes",
  named: "memberOf",
  numbered: "elementOf",
  iteratedIf: "itemsOf",
  member: "get",
  valueAt: "valueOf",
};

/** The types of helpers that say more than "JSON in, JSON out". `T` is the type of the value that is changed. */
const types: { readonly [helper: string]: string } = {
  mergeJson: "<T extends Json>(target: T, value: Json): T",
  absorbJson: "<T extends Json>(target: T, value: Json, key: string): T",
  placeJson: "<T extends Json>(target: T, path: readonly string[], value: Json): T",
  satisfies: "(values: readonly Json[], operator: string, operand: Json): boolean",
  relates: "(left: readonly Json[], operator: string, right: readonly Json[]): boolean",
  comparesNodes: "(left: readonly Json[], operator: string, right: readonly Json[]): boolean",
  present: "(value: Json | undefined): Json[]",
  named: "(value: Json | undefined, name: string): Json | undefined",
  numbered: "(value: Json | undefined, index: number): Json | undefined",
  attributeOf: "(event: Json, name: string): Json | undefined",
  iteratedIf: "(value: Json | undefined): readonly any[]",
  elements: "(value: Json): readonly any[]",
  isTrue: "(value: Json): boolean",
  isFalse: "(value: Json): boolean",
  raise: "(value: Json): never",
  toText: "(value: Json): string",
  text: "(value: Json): string",
};

/** Takes note that a function of the expressions' runtime is called; the name by which it is called. */
export function helperName({ helpers, names: taken }: Module, helper: string): string {
  const known = helpers.get(helper);
  if (known !== undefined) return known;
  const name = taken.fresh(names[helper] ?? helper);
  helpers.set(helper, name);
  return name;
}

/** The type of a function of the expressions' runtime. */
export const helperType = (helper: string): string => types[helper] ?? "(...values: readonly (Json | undefined)[]): any";
