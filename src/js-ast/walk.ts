import { assertNever } from "../json.ts";
import type { FunctionSignature, JsNode } from "./tree.ts";

/** The children of a node in source order. */
export function childrenOf(node: JsNode): readonly JsNode[] {
  switch (node.kind) {
    case "literal":
    case "regex":
    case "identifier":
    case "jump":
    case "import":
    case "export":
    case "comment":
    case "keywordType":
    case "literalType":
      return none;
    case "template":
      return node.parts.filter((part) => typeof part !== "string");
    case "array":
    case "tupleType":
      return node.elements;
    case "object":
    case "objectType":
      return node.members;
    case "property":
      return typeof node.key === "string" ? [node.value] : [node.key, node.value];
    case "member":
      return [node.object];
    case "element":
      return [node.object, node.index];
    case "call":
    case "new":
      return [node.callee, ...node.types, ...node.args];
    case "function":
      return [...signatureOf(node), ...("kind" in node.body ? [node.body] : node.body)];
    case "functionDeclaration":
      return [...signatureOf(node), ...node.body];
    case "parameter":
      return present(node.target, node.type, node.initial);
    case "unary":
    case "await":
    case "spread":
    case "nonNull":
      return [node.operand];
    case "yield":
      return present(node.operand);
    case "binary":
      return [node.left, node.right];
    case "conditional":
      return [node.condition, node.then, node.otherwise];
    case "assign":
      return [node.target, node.value];
    case "assertion":
      return [node.operand, node.type];
    case "objectPattern":
      return present(...node.members.flatMap(({ target, initial }) => [target, initial]), node.rest);
    case "arrayPattern":
      return present(...node.elements, node.rest);
    case "variable":
      return present(node.target, node.type, node.value);
    case "expression":
      return [node.expression];
    case "if":
      return [node.test, ...node.then, ...(node.otherwise ?? none)];
    case "while":
      return [node.test, ...node.body];
    case "doWhile":
      return [...node.body, node.test];
    case "for":
      return [...present(node.initial, node.test, node.update), ...node.body];
    case "forOf":
      return [node.target, node.values, ...node.body];
    case "labeled":
      return [node.body];
    case "block":
      return node.body;
    case "switch":
      return [node.subject, ...node.cases.flatMap(({ tests, body }) => [...tests, ...body])];
    case "try":
      return [
        ...node.body,
        ...present(node.handler?.caught),
        ...(node.handler?.body ?? none),
        ...(node.finalizer ?? none),
      ];
    case "throw":
      return [node.value];
    case "return":
      return present(node.value);
    case "interface":
      return [...typeParametersOf(node), ...node.extends, ...node.members];
    case "typeDeclaration":
      return [...typeParametersOf(node), node.type];
    case "namedType":
      return node.args;
    case "arrayType":
      return [node.element];
    case "unionType":
      return node.types;
    case "functionType":
    case "methodSignature":
      return [...node.parameters.map(({ type }) => type), node.returns];
    case "typeQuery":
      return [node.of];
    case "indexedType":
      return [node.object, node.index];
    case "propertySignature":
      return [node.type];
    case "indexSignature":
      return [node.key, node.type];
    default:
      return assertNever(node);
  }
}

const none: readonly JsNode[] = [];

/** Nodes and their descendants in preorder. */
export function walkNodes(nodes: Iterable<JsNode>): readonly JsNode[] {
  const found: JsNode[] = [];
  const waiting = [...nodes].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    found.push(node);
    if (isLeaf(node)) continue;
    const children = childrenOf(node);
    for (let i = children.length - 1; i >= 0; i -= 1) waiting.push(children[i]!);
  }
  return found;
}

/** Rewrites nodes top-down, but not inside those for which `isOpaque` then holds. Unchanged parts are shared. */
export function mapNodes<T>(
  code: T,
  change: (node: JsNode) => JsNode,
  isOpaque: (node: JsNode) => boolean = () => false,
): T {
  if (typeof code !== "object" || code === null) return code;
  if (Array.isArray(code)) return mapList(code, change, isOpaque) as T;
  const node: object = "kind" in code ? change(code as unknown as JsNode) : code;
  if ("kind" in node && (isLeaf(node as JsNode) || isOpaque(node as JsNode))) return node as T;
  let copy: { [key: string]: unknown } | undefined;
  for (const key of Object.keys(node)) {
    const part: unknown = node[key as keyof typeof node];
    if (typeof part !== "object" || part === null) continue;
    const mapped = mapNodes(part, change, isOpaque);
    if (mapped === part) continue;
    copy ??= { ...node };
    copy[key] = mapped;
  }
  return (copy ?? node) as T;
}

function mapList(
  list: readonly unknown[],
  change: (node: JsNode) => JsNode,
  isOpaque: (node: JsNode) => boolean,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let i = 0; i < list.length; i += 1) {
    const mapped = mapNodes(list[i], change, isOpaque);
    if (mapped === list[i]) continue;
    copy ??= list.slice();
    copy[i] = mapped;
  }
  return copy ?? list;
}

/** Whether a node has no children; most are names and literals. */
const isLeaf = ({ kind }: JsNode): boolean => kind === "identifier" || kind === "literal";

/** Whether two trees are equal, with comments. */
export function equalNodes(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => equalNodes(a[key as never], b[key as never]));
}

function signatureOf(signature: FunctionSignature): readonly JsNode[] {
  return [...typeParametersOf(signature), ...signature.parameters, ...present(signature.returns)];
}

function typeParametersOf({ typeParameters }: Pick<FunctionSignature, "typeParameters">): readonly JsNode[] {
  return typeParameters.flatMap(({ constraint, fallback }) => present(constraint, fallback));
}

const present = (...nodes: readonly (JsNode | undefined)[]): readonly JsNode[] =>
  nodes.filter((node) => node !== undefined);
