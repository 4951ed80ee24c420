import type { Expression, Pipe } from "../ast.ts";
import { canFail, factsOf } from "../facts.ts";
import { type Environment, unguarded, withInput } from "./environment.ts";
import { writeNodes } from "./query.ts";
import { type OpenUse, unusedValue } from "./use.ts";
import { write, writeOne, writeTruth } from "./write.ts";
import { atom, inside, level, listed, type Written } from "./written.ts";

/** A list, and what is looked at in its elements. */
type List = Written & { readonly element?: OpenUse | undefined };

/** All outputs of an expression as an array. */
export function writeList(expression: Expression, outside: Environment): List | undefined {
  const environment = unguarded(outside);
  switch (expression.kind) {
    case "iterate":
      return expression.optional ? undefined : writeElements(expression.source, environment);
    case "query":
      return writeNodes(expression, environment) ?? writeSingle(expression, environment);
    case "comma":
      return writeSeveral(expression.items, environment);
    case "pipe":
      return writeMapped(expression, environment) ?? writeSingle(expression, environment);
    default:
      return writeSingle(expression, environment);
  }
}

function writeElements(source: Expression, environment: Environment): List | undefined {
  const value = writeOne(source, environment);
  return value && atom(`${environment.helper("elements")}(${value.text})`, { type: "array", isPresent: true });
}

/** One value, or none. */
function writeSingle(expression: Expression, environment: Environment): List | undefined {
  const value = write(expression, environment);
  if (!value) return undefined;
  if (value.isOptional) return atom(`${environment.helper("present")}(${value.text})`, { type: "array", isPresent: true });
  return atom(listed("[", [inside(value, level.choice)], "]"), { type: "array", isPresent: true });
}

function writeSeveral(items: readonly Expression[], environment: Environment): List | undefined {
  const parts: string[] = [];
  for (const item of items) {
    const one = factsOf(item).outputs === "one" ? writeOne(item, environment) : undefined;
    const list = one ? undefined : writeList(item, environment);
    if (!one && !list) return undefined;
    parts.push(one ? inside(one, level.choice) : `...${inside(list!, level.choice)}`);
  }
  return atom(listed("[", parts, "]"), { type: "array", isPresent: true });
}

/** What is done for each element: `map`, `filter`, or `flatMap` where an element gives none or several. */
function writeMapped({ left, right }: Pipe, environment: Environment): List | undefined {
  if (factsOf(left).outputs === "one") return undefined;
  const list = writeList(left, environment);
  if (!list) return undefined;
  const element = list.element ?? unusedValue();
  const name = itemName(environment);
  const inner = withInput(environment, atom(name, { use: list.element ? element : undefined }));
  const text = inside(list, level.member);
  const kept = selectCondition(right);
  if (kept) {
    const test = writeTruth(kept, inner);
    return (
      test && {
        ...atom(`${text}.filter((${name}) => ${inside(test, level.choice)})`, { type: "array", isPresent: true }),
        element: list.element,
      }
    );
  }
  if (canFail(right) && fails(left)) return undefined;
  const one = factsOf(right).outputs === "one" ? writeOne(right, inner) : undefined;
  if (one) return atom(`${text}.map((${name}) => ${bodyText(one)})`, { type: "array", isPresent: true });
  const several = writeList(right, inner);
  return several && atom(`${text}.flatMap((${name}) => ${bodyText(several)})`, { type: "array", isPresent: true });
}

/** Whether later elements of a list can fail when the first ones are there: `map` would find out too early. */
const fails = (expression: Expression): boolean =>
  expression.kind === "pipe" ? canFail(expression.right) || fails(expression.left) : false;

/** `select(E)`: `if E then . else empty end`. */
function selectCondition(expression: Expression): Expression | undefined {
  if (expression.kind !== "if" || expression.then.kind !== "identity") return undefined;
  const { otherwise } = expression;
  return factsOf(otherwise).outputs === "none" && !canFail(otherwise) ? expression.condition : undefined;
}

const bodyText = (body: Written): string => (body.text.startsWith("{") ? `(${body.text})` : inside(body, level.choice));

/** A name that the `.` around does not have. */
function itemName({ input }: Environment): string {
  for (let i = 1; ; i += 1) {
    const name = i === 1 ? "item" : `item${i}`;
    if (!new RegExp(`\\b${name}\\b`).test(input?.text ?? "")) return name;
  }
}
