import {
  type JsExpression,
  js,
  type JsNode,
  equalNodes,
  type TypeNode,
  type VariableDeclaration,
} from "../../../src/js-ast/index.ts";
import { jsonType } from "../expressions/runtime.ts";

/** `Data` → `Json`, `value as Data` → `value`, `value as Json as Data` → `value` */
export function withoutPlain(node: JsNode, plain: ReadonlySet<string>): JsNode {
  const isPlain = (type: JsNode) => type.kind === "namedType" && !type.from && plain.has(type.name);
  if (isPlain(node)) return jsonType;
  if (node.kind === "variable") return { ...node, type: typeSaid(node, isPlain) };
  return node.kind === "assertion" && isPlain(node.type) ? withoutPlain(withoutJson(node.operand), plain) : node;
}

/**
 * The type that the declaration of a variable says: none where its value tells it.
 *
 * `const name: Data = f(x)` → `const name = f(x)`, `const name: Data = other` → `const name: Json = other`, `const name = [] as Data` → `const name: Json = []`,
 * `const name: Order = other as Order` → `const name = other as Order`
 */
function typeSaid(
  { keyword, type, value }: VariableDeclaration,
  isPlain: (type: TypeNode) => boolean,
): TypeNode | undefined {
  if (!value) return type;
  const [isList, isOther] = [isEmptyList(bare(value)), bare(value).kind === "identifier"];
  if (!type) return isList && value.kind === "assertion" && isPlain(value.type) ? jsonType : undefined;
  if (keyword !== "const") return type;
  if (isPlain(type)) return isList || isOther ? jsonType : undefined;
  return isOther && value.kind === "assertion" ? undefined : type;
}

/** `{ list: [] } as Data` → `{ list: [] } as Json as Data`, where something of the value is of another type than the declared one by its form. */
export function throughJson(node: JsNode, types: ReadonlyMap<string, TypeNode>): JsNode {
  if (node.kind !== "assertion" || !isOther(node.operand, node.type, types)) return node;
  return { ...node, operand: js.as(node.operand, jsonType) };
}

function isOther(value: JsExpression, type: TypeNode, types: ReadonlyMap<string, TypeNode>, isMember = false): boolean {
  const declared = type.kind === "namedType" && !type.from ? types.get(type.name) : type;
  if (declared?.kind !== "objectType") return false;
  if (value.kind !== "object") return isNoObject(value, isMember);
  return value.members.some((given) =>
    declared.members.some(
      (member) =>
        given.kind === "property" &&
        member.kind === "propertySignature" &&
        given.key === member.name &&
        isOther(given.value, member.type, types, true),
    ),
  );
}

/** Whether something is no object by its form; what a function of the runtime gives may be of any type, which only counts in a member. */
function isNoObject(value: JsExpression, isMember: boolean): boolean {
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
        [value.left, value.right].some((each) => isNoObject(each, isMember))
      );
    case "conditional":
      return [value.then, value.otherwise].some((each) => isNoObject(each, isMember));
    case "call":
      return isMember && value.callee.kind === "identifier" && value.callee.from !== undefined;
    default:
      return false;
  }
}

/** `value as Json` → `value`, but for what is waited for, whose type may be another. */
const withoutJson = (value: JsExpression): JsExpression =>
  value.kind === "assertion" && equalNodes(value.type, jsonType) && value.operand.kind !== "await"
    ? value.operand
    : value;

/** A value without what it is taken to be. */
export const bare = (value: JsExpression): JsExpression => (value.kind === "assertion" ? bare(value.operand) : value);

/** TypeScript has to be told the type of a variable that begins with this. */
const isEmptyList = (value: JsExpression): boolean => value.kind === "array" && value.elements.length === 0;
