import { type Expression, factsOf } from "../../../src/expressions/index.ts";
import type { Environment, Lines } from "./environment.ts";

/** A name for the elements of a list: none that the `.` around has, or a variable that is used for an element. */
export function itemName(used: Expression, environment: Environment): string {
  const texts = textsIn(used, environment);
  for (let i = 1; ; i += 1) {
    const name = i === 1 ? "item" : `item${i}`;
    if (!texts.some((text) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text))) return name;
  }
}

/** No lines yet, in a function that uses an expression for each element of a list. */
export const linesIn = (used: Expression, item: string, environment: Environment): Lines => ({
  texts: [],
  names: new Set([
    item,
    ...textsIn(used, environment).flatMap((text) => text.match(/[\w$]+/g) ?? []),
    ...(environment.lines?.names ?? []),
  ]),
});

const textsIn = (used: Expression, { input, variable }: Environment): readonly string[] => [
  input?.text ?? "",
  ...[...factsOf(used).free.keys()].map((name) => variable(name)?.text ?? ""),
];
