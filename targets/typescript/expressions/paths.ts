import type { Expression as Code } from "../../../src/code/index.ts";
import { isWord, js, namesIn } from "../../../src/code/index.ts";
import { type Expression, factsOf, type Query, type Segment } from "../../../src/expressions/index.ts";
import { isFreeName, memberUse, type OpenUse, type Use, unusedValue } from "./use.ts";
import { write, writeOne } from "./write.ts";
import {
  type Environment,
  helped,
  type Lines,
  noLines,
  truth,
  unguarded,
  type Written,
  withInput,
  written,
} from "./written.ts";

/** A JSONPath that selects at most one node; undefined where it may select several: `$data.order.id` → `data?.order?.id` */
export function writeQuery(query: Query, environment: Environment): Written | undefined {
  const source = write(query.source, environment);
  if (!source || !query.segments.every(isDefinite)) return undefined;
  return query.segments.reduce((node, segment) => step(node, segment, environment), source);
}

/** Whether a segment selects one node at most. */
export const isDefinite = ({ descend, selectors }: Segment): boolean =>
  !descend && selectors.length === 1 && (selectors[0]!.kind === "name" || selectors[0]!.kind === "index");

/** An array, with what is looked at in its elements. `elementUse` is what they are where that is declared. */
export type Nodes = Written & { readonly element: OpenUse; readonly elementUse?: Use | undefined };

/** What a JSONPath selects, as an array: `$data.items[?@.paid]` → `itemsOf(data?.items).filter((item) => item?.paid === true)` */
export function writeNodes(query: Query, environment: Environment): Nodes | undefined {
  const definite = query.segments.findIndex((segment) => !isDefinite(segment));
  if (definite < 0) return undefined;
  const source = write({ ...query, segments: query.segments.slice(0, definite) }, environment);
  const [segment, ...rest] = query.segments.slice(definite);
  if (!source || !segment || rest.length > 0 || segment.descend || segment.selectors.length !== 1) return undefined;
  const [selector] = segment.selectors;
  const declared = source.use?.kind === "closed" ? source.use.element : undefined;
  const items = declared ? source.code : helped(environment, "iteratedIf", [source.code]);
  const element = unusedValue();
  if (selector!.kind === "wildcard") return { ...written(items, array), element, elementUse: declared };
  if (selector!.kind !== "filter") return undefined;
  const name = itemName(selector!.condition, environment);
  const item = written(js.name(name), { use: element });
  const test = writeTest(selector!.condition, withInput(environment, item));
  return test && { ...written(js.method(items, "filter", [js.arrow([name], test.code)]), array), element };
}

const array = { type: "array", isPresent: true } as const;

/** A filter takes what gives true, and nothing else. */
function writeTest(condition: Expression, environment: Environment): Written | undefined {
  if (factsOf(condition).outputs !== "one") return undefined;
  const test = writeOne(condition, unguarded(environment));
  if (!test || test.type === "boolean") return test;
  return truth(js.binary(test.code, "===", js.literal(true)));
}

function step(node: Written, { selectors }: Segment, environment: Environment): Written {
  const [selector] = selectors;
  if (selector?.kind === "name") return member(node, selector.name, environment);
  const index = selector?.kind === "index" ? selector.index : 0;
  const { use } = node;
  if (use?.kind !== "closed" || !use.element || index < 0)
    return written(helped(environment, "numbered", [node.code, js.literal(index)]), { isOptional: true });
  const sure = use.isFilled && node.isPresent ? js.nonNull(js.element(node.code, js.literal(index))) : undefined;
  return written(js.element(node.code, js.literal(index), !node.isPresent), {
    isOptional: true,
    use: use.element,
    sure,
  });
}

/** The member of a value; undefined unless the value is an object that has it. */
function member(node: Written, name: string, environment: Environment): Written {
  const { use } = node;
  const mayBeNothing = !node.isPresent && !node.isChained;
  if (use?.kind === "closed" && Object.hasOwn(use.members, name)) {
    const known = use.members[name]!;
    const isOptional = known.isOptional === true || !node.isPresent;
    return written(dotted(node.code, name, mayBeNothing), {
      isOptional,
      isPresent: !isOptional && !known.isNullable,
      isChained: isOptional && !known.isOptional && !known.isNullable,
      use: known.use,
      sure: known.isOptional || node.sure === undefined ? undefined : dotted(node.sure, name, false),
    });
  }
  if (use?.kind === "closed" && use.hasOthers && isFreeName(name))
    return written(dotted(node.code, name, mayBeNothing), { isOptional: true });
  if (use?.kind !== "open" || !isFreeName(name))
    return written(helped(environment, "named", [node.code, js.literal(name)]), { isOptional: true });
  return written(dotted(node.code, name, mayBeNothing), { isOptional: true, use: memberUse(use, name) });
}

/** `value.name`, `value["a b"]`, and with `?.` where there may be no value. */
const dotted = (value: Code, name: string, optional: boolean): Code =>
  isWord(name) && name !== "__proto__"
    ? optional
      ? js.optionalMember(value, name)
      : js.member(value, name)
    : js.element(value, js.literal(name), optional);

/** A name for the elements of a list: none that the `.` around has, or a variable that is used for an element. */
export function itemName(used: Expression, environment: Environment): string {
  const names = namesAround(used, environment);
  for (let i = 1; ; i += 1) {
    const name = i === 1 ? "item" : `item${i}`;
    if (!names.has(name)) return name;
  }
}

/** No statements yet, in a function that uses an expression for each element of a list. */
export const linesIn = (used: Expression, item: string, environment: Environment): Lines =>
  noLines([item, ...namesAround(used, environment), ...(environment.lines?.names ?? [])]);

function namesAround(used: Expression, { input, variable }: Environment): ReadonlySet<string> {
  const values = [input, ...Array.from(factsOf(used).free.keys(), variable)];
  return namesIn(values.flatMap((value) => value?.code ?? []));
}
