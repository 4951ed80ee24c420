import type { Call, Expression } from "../core/ast.ts";
import { call, conditional } from "../core/build.ts";
import { isBinary, isUpdate } from "../core/views.ts";
import { childrenOf } from "../core/walk.ts";
import { isJsonExact } from "../library/json-value.ts";
import { effectsOf } from "./effects.ts";

/**
 * The expression with the outputs that JSON can carry: where a value is bound, NaN becomes null, numbers beyond a
 * double's range the largest ones, and -0 becomes 0. The conversion, `jsonValue`, is applied only to the parts whose
 * numbers may need it.
 */
export function toJsonValues(expression: Expression): Expression {
  if (!mayBeInexact(expression)) return expression;
  switch (expression.kind) {
    case "object":
      return {
        ...expression,
        entries: expression.entries.map(({ key, value }) => ({ key, value: toJsonValues(value) })),
      };
    case "array":
      return { ...expression, items: expression.items && toJsonValues(expression.items) };
    case "comma":
      return { ...expression, items: expression.items.map(toJsonValues) };
    case "if": {
      const { condition, then, otherwise, span } = expression;
      return { ...conditional(condition, toJsonValues(then), toJsonValues(otherwise)), span };
    }
    case "pipe":
      return mayBeInexact(expression.left)
        ? convert(expression)
        : { ...expression, right: toJsonValues(expression.right) };
    case "let":
      return mayBeInexact(expression.value)
        ? convert(expression)
        : { ...expression, body: toJsonValues(expression.body) };
    case "call":
      return convertCall(expression);
    default:
      return convert(expression);
  }
}

const convert = (expression: Expression): Expression => call("jsonValue", expression);

function convertCall(expression: Call): Expression {
  if (isUpdate(expression)) {
    const [path, value] = expression.args;
    return isMemberPath(path) ? { ...expression, args: [path, toJsonValues(value)] } : convert(expression);
  }
  return isConstructor(expression) ? { ...expression, args: expression.args.map(toJsonValues) } : convert(expression);
}

/** Functions that put their arguments together without a look at numbers. */
const isConstructor = ({ name, args, isLocal }: Call): boolean =>
  !isLocal && ["first/1", "merge/2", "mergeResult/3", "place/3", "mergeOutput/2"].includes(`${name}/${args.length}`);

const isMemberPath = (path: Expression): boolean =>
  path.kind === "identity" || (path.kind === "access" && path.key.kind === "literal" && isMemberPath(path.source));

/** Whether an output may contain a number that JSON cannot carry: NaN, an infinity or -0. Variables contain none. */
export function mayBeInexact(expression: Expression): boolean {
  const known = cache.get(expression);
  if (known !== undefined) return known;
  const found =
    expression.kind === "literal"
      ? !isJsonExact(expression.value)
      : !exactTypes.has(effectsOf(expression).type ?? "any") &&
        (producesInexact(expression) || childrenOf(expression).some((child) => mayBeInexact(child.expression)));
  cache.set(expression, found);
  return found;
}

const cache = new WeakMap<Expression, boolean>();

const exactTypes: ReadonlySet<string> = new Set(["null", "boolean", "string"]);

function producesInexact(expression: Expression): boolean {
  if (expression.kind !== "call" || expression.isLocal) return false;
  if (!isBinary(expression)) return !exactFunctions.has(expression.name);
  const { name, args } = expression;
  if (name === "%" || !args.every(mayBeNumber)) return false;
  return name === "*" || name === "/" || !args.some(isSmall);
}

const mayBeNumber = (expression: Expression): boolean => ["number", undefined].includes(effectsOf(expression).type);

/** A sum with such a number is finite. */
const isSmall = (expression: Expression): boolean =>
  expression.kind === "literal" && typeof expression.value === "number" && Math.abs(expression.value) < maxSmall;

/** Less than half of the distance between the two largest doubles, 2⁹⁷¹. */
const maxSmall = 2 ** 969;

/** Functions whose numbers are exact, or parts of their arguments. */
const exactFunctions: ReadonlySet<string> = new Set(
  `alternative recurse path update first last limit skip range error type not text
   merge mergeResult place mergeOutput mergeEvent difference attribute nodeLength nodeCount nodeValue jsonValue
   abs floor _negate length utf8bytelength getpath setpath delpaths nth keys keys_unsorted to_entries from_entries
   flatten _flatten reverse transpose sort unique min max _sort_by_impl _group_by_impl _unique_by_impl _min_by_impl
   _max_by_impl bsearch indices _strindices index rindex split explode ltrimstr rtrimstr trimstr trim ltrim rtrim
   mktime fromdate fromdateiso8601 strptime tostream combinations _match _captured _scanned _between _replaced
   select exists truthy`
    .split(/\s+/)
    .filter((name) => name !== ""),
);
