import {
  type Block,
  boundNames,
  equalNodes,
  type JsExpression,
  type JsNode,
  js,
  type TypeNode,
  type VariableDeclaration,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { jsonType } from "./runtime-imports.ts";

/** Replaces type names that turned out to mean `Json`: `Data` → `Json`, `value as Json as Data` → `value`. */
export function eraseJsonAliases(node: JsNode, jsonAliases: ReadonlySet<string>): JsNode {
  const isJson = (type: JsNode) => type.kind === "namedType" && !type.from && jsonAliases.has(type.name);
  if (isJson(node)) return jsonType;
  if (node.kind === "variable")
    return { ...node, type: annotationOf(node, isJson), value: initialValueOf(node, isJson) };
  return node.kind === "assertion" && isJson(node.type)
    ? eraseJsonAliases(stripJsonAssertion(node.operand), jsonAliases)
    : node;
}

/**
 * The type annotation of a declaration, omitted if it can be inferred.
 *
 * `const name: Data = f(x)` → `const name = f(x)`, `const name: Data = other` → `const name: Json = other`,
 * `const name = [] as Data` → `const name: Json = []`, `let name = null as Json as Data` → `let name: Json = null`,
 * `const name: Order = other as Order` → `const name = other as Order`
 */
function annotationOf(
  { keyword, type, value }: VariableDeclaration,
  isJson: (type: TypeNode) => boolean,
): TypeNode | undefined {
  if (!value) return type;
  const bare = stripAssertions(value);
  const isEmpty = isEmptyArray(bare) || (keyword === "let" && isNull(bare));
  const isOther = bare.kind === "identifier";
  if (!type) return isEmpty && value.kind === "assertion" && isJson(value.type) ? jsonType : undefined;
  if (keyword !== "const") return type;
  if (isJson(type)) return isEmpty || isOther ? jsonType : undefined;
  return isOther && value.kind === "assertion" ? undefined : type;
}

/** `const name = null as Data` → `const name = null as Json`: a constant of the type null cannot be asserted to be other. */
function initialValueOf(
  { keyword, value }: VariableDeclaration,
  isJson: (type: TypeNode) => boolean,
): JsExpression | undefined {
  if (keyword !== "const" || value?.kind !== "assertion" || !isJson(value.type)) return value;
  const bare = stripAssertions(value);
  return isNull(bare) ? js.as(bare, jsonType) : value;
}

/**
 * `{ list: [] } as Data` → `{ list: [] } as Json as Data` if the value conflicts with the type, and so `context as Data`
 * for a variable that is null at first: TypeScript does not see what functions inside assign to it.
 */
export function castThroughJson(
  node: JsNode,
  types: ReadonlyMap<string, TypeNode>,
  nullAtFirst: ReadonlySet<string>,
): JsNode {
  if (node.kind !== "assertion" || equalNodes(node.type, jsonType)) return node;
  const { operand, type } = node;
  const mayBeNull = operand.kind === "identifier" && !operand.from && nullAtFirst.has(operand.name);
  return mayBeNull || conflictsWithType(operand, type, types) ? { ...node, operand: js.as(operand, jsonType) } : node;
}

/** The names of variables that are declared with the value null and may change. */
export const namesNullAtFirst = (declarations: Block): ReadonlySet<string> =>
  new Set(
    walkNodes(declarations).flatMap((node) =>
      node.kind === "variable" && node.keyword === "let" && node.value && isNull(stripAssertions(node.value))
        ? boundNames(node.target)
        : [],
    ),
  );

function conflictsWithType(
  value: JsExpression,
  type: TypeNode,
  types: ReadonlyMap<string, TypeNode>,
  isMember = false,
): boolean {
  const declared = type.kind === "namedType" && !type.from ? types.get(type.name) : type;
  if (declared?.kind !== "objectType") return false;
  if (value.kind !== "object") return isNull(value) || isNonObject(value, isMember);
  return value.members.some((given) =>
    declared.members.some(
      (member) =>
        given.kind === "property" &&
        member.kind === "propertySignature" &&
        given.key === member.name &&
        conflictsWithType(given.value, member.type, types, true),
    ),
  );
}

const isNull = (value: JsExpression): boolean => value.kind === "literal" && value.value === null;

/** Whether an expression evidently is not an object. Calls of the runtime and of methods count only in members. */
function isNonObject(value: JsExpression, isMember: boolean): boolean {
  switch (value.kind) {
    case "array":
    case "template":
    case "unary":
      return true;
    case "literal":
      return value.value !== null;
    case "binary":
      return (
        !["??", "||", "&&"].includes(value.operator) ||
        [value.left, value.right].some((each) => isNonObject(each, isMember))
      );
    case "conditional":
      return [value.then, value.otherwise].some((each) => isNonObject(each, isMember));
    case "call":
      return isMember && (value.callee.kind === "member" || isRuntimeFunction(value.callee));
    default:
      return false;
  }
}

const isRuntimeFunction = (callee: JsExpression): boolean => callee.kind === "identifier" && callee.from !== undefined;

/** `value as Json` → `value`, except for `await`, whose type may differ. */
const stripJsonAssertion = (value: JsExpression): JsExpression =>
  value.kind === "assertion" && equalNodes(value.type, jsonType) && value.operand.kind !== "await"
    ? value.operand
    : value;

/** Removes type assertions around an expression. */
export const stripAssertions = (value: JsExpression): JsExpression =>
  value.kind === "assertion" ? stripAssertions(value.operand) : value;

const isEmptyArray = (value: JsExpression): boolean => value.kind === "array" && value.elements.length === 0;
