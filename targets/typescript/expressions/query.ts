import { type Expression, factsOf, type Query, type Segment } from "../../../src/expressions/index.ts";
import { type Environment, unguarded, withInput } from "./environment.ts";
import { itemName } from "./item.ts";
import { quoted } from "./literal.ts";
import { isFreeName, isWord, memberUse, type OpenUse, type Use, unusedValue } from "./use.ts";
import { write, writeOne } from "./write.ts";
import { atom, inside, level, type Written } from "./written.ts";

/** A JSONPath that selects at most one node; undefined where it may select several. */
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

/** What a JSONPath selects, as an array. */
export function writeNodes(query: Query, environment: Environment): Nodes | undefined {
  const definite = query.segments.findIndex((segment) => !isDefinite(segment));
  if (definite < 0) return undefined;
  const source = write({ ...query, segments: query.segments.slice(0, definite) }, environment);
  const [segment, ...rest] = query.segments.slice(definite);
  if (!source || !segment || rest.length > 0 || segment.descend || segment.selectors.length !== 1) return undefined;
  const [selector] = segment.selectors;
  const declared = source.use?.kind === "closed" ? source.use.element : undefined;
  const items = declared ? source.text : `${environment.helper("iteratedIf")}(${source.text})`;
  const element = unusedValue();
  if (selector!.kind === "wildcard")
    return { ...atom(items, { type: "array", isPresent: true }), element, elementUse: declared };
  if (selector!.kind !== "filter") return undefined;
  const name = itemName(selector!.condition, environment);
  const test = writeTest(selector!.condition, withInput(environment, atom(name, { use: element })));
  return (
    test && {
      ...atom(`${items}.filter((${name}) => ${inside(test, level.choice)})`, { type: "array", isPresent: true }),
      element,
    }
  );
}

/** A filter takes what gives true, and nothing else. */
function writeTest(condition: Expression, environment: Environment): Written | undefined {
  if (factsOf(condition).outputs !== "one") return undefined;
  const test = writeOne(condition, unguarded(environment));
  if (!test || test.type === "boolean") return test;
  return { text: `${inside(test, level.equality)} === true`, level: level.equality, type: "boolean" };
}

function step(node: Written, { selectors }: Segment, environment: Environment): Written {
  const [selector] = selectors;
  if (selector?.kind === "name") return member(node, selector.name, environment);
  const index = selector?.kind === "index" ? selector.index : 0;
  const { use } = node;
  if (use?.kind === "closed" && use.element && index >= 0)
    return atom(`${inside(node, level.member)}${node.isPresent ? "" : "?."}[${index}]`, {
      isOptional: true,
      use: use.element,
      sure: use.isFilled && node.isPresent ? `${inside(node, level.member)}[${index}]!` : undefined,
    });
  return atom(`${environment.helper("numbered")}(${node.text}, ${index})`, { isOptional: true });
}

/** The member of a value; undefined unless the value is an object that has it. */
function member(node: Written, name: string, environment: Environment): Written {
  const { use } = node;
  if (use?.kind === "closed" && Object.hasOwn(use.members, name)) {
    const known = use.members[name]!;
    const isOptional = known.isOptional === true || !node.isPresent;
    return atom(`${inside(node, level.member)}${dotted(node, name)}`, {
      isOptional,
      isPresent: !isOptional && !known.isNullable,
      isChained: isOptional && !known.isOptional && !known.isNullable,
      use: known.use,
      sure:
        known.isOptional || node.sure === undefined ? undefined : `${node.sure}${dotted({ isPresent: true }, name)}`,
    });
  }
  if (use?.kind === "closed" && use.hasOthers && isFreeName(name))
    return atom(`${inside(node, level.member)}${dotted(node, name)}`, { isOptional: true });
  if (use?.kind !== "open" || !isFreeName(name))
    return atom(`${environment.helper("named")}(${node.text}, ${quoted(name)})`, { isOptional: true });
  return atom(`${inside(node, level.member)}${dotted(node, name)}`, { isOptional: true, use: memberUse(use, name) });
}

const dotted = ({ isPresent, isChained }: Pick<Written, "isPresent" | "isChained">, name: string): string =>
  isWord(name)
    ? `${isPresent || isChained ? "." : "?."}${name}`
    : `${isPresent || isChained ? "" : "?."}[${quoted(name)}]`;
