import { type Access, childrenOf, type Expression, literal, withChildren } from "../expressions/index.ts";

/** Reads members of objects of variables: `{ title: $t, status: $s }.title` → `$t`. Not for paths, which these are not. */
export function readConstructed(expression: Expression): Expression {
  const children = childrenOf(expression);
  const read = children.map((child) => readConstructed(child.expression));
  const isSame = read.every((each, i) => each === children[i]!.expression);
  const whole = isSame ? expression : withChildren(expression, read);
  return whole.kind === "access" ? (constructedMember(whole) ?? whole) : whole;
}

function constructedMember({ source, key }: Access): Expression | undefined {
  if (source.kind !== "object" || key.kind !== "literal" || typeof key.value !== "string") return undefined;
  const { entries } = source;
  if (!entries.every((entry) => entry.key.kind === "literal" && isPlain(entry.value))) return undefined;
  const found = entries.findLast((entry) => entry.key.kind === "literal" && entry.key.value === key.value);
  return found?.value ?? literal(null);
}

const isPlain = ({ kind }: Expression): boolean => kind === "variable" || kind === "literal";
