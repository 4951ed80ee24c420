import { type Call, childrenOf, type Expression, effectsOf, type Segment } from "../../../src/expressions/index.ts";

/**
 * Whether an expression has one of the common forms that the printer never rejects: constants, variables, definite
 * paths, objects and arrays of them, and changes of the data by them. Others may have an exact form, too.
 */
export function isPlainForm(expression: Expression): boolean {
  const { size, depth } = effectsOf(expression).weight;
  return size <= maxPlainSize && depth <= maxPlainDepth && hasPlainParts(expression);
}

/** With them, an expression stays shallow even if all its repeated parts are bound to variables. */
const maxPlainSize = 60;
const maxPlainDepth = 8;

const hasPlainParts = (expression: Expression): boolean =>
  isPlainNode(expression) && childrenOf(expression).every((child) => hasPlainParts(child.expression));

const leafKinds: ReadonlySet<Expression["kind"]> = new Set(["literal", "identity", "variable"]);

/** Whether it is plain if its parts are. */
function isPlainNode(expression: Expression): boolean {
  if (expression.kind === "query") return expression.segments.every(isDefinite);
  if (expression.kind === "object") return expression.entries.every(({ key }) => isPlainKey(key));
  if (expression.kind === "call") return isPlainCall(expression);
  return leafKinds.has(expression.kind) || expression.kind === "comma" || expression.kind === "array";
}

const isDefinite = ({ descend, selectors: [selector, ...others] }: Segment): boolean =>
  !descend && others.length === 0 && (selector?.kind === "name" || selector?.kind === "index");

const isPlainKey = (key: Expression): boolean =>
  key.kind === "literal" && typeof key.value === "string" && key.value !== "__proto__";

function isPlainCall({ name, args, isLocal }: Call): boolean {
  if (isLocal) return false;
  const [, second] = args;
  switch (`${name}/${args.length}`) {
    case "first/1":
    case "merge/2":
    case "assign/2":
      return true;
    case "place/3":
      return second?.kind === "literal" && !(Array.isArray(second.value) && second.value.includes("__proto__"));
    case "switchCondition/3":
      return second?.kind === "literal" && switchOperators.has(second.value);
    default:
      return false;
  }
}

/** Without those that need a regular expression. */
const switchOperators: ReadonlySet<unknown> = new Set([
  ...["exists", "notexists", "null", "notnull", "equals", "notequals"],
  ...["lessthan", "lessthanorequals", "greaterthan", "greaterthanorequals"],
]);
