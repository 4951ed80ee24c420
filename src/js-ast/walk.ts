import { assertNever } from "../json.ts";
import type { FunctionSignature, JsNode } from "./tree.ts";

/** The children of a node in source order. */
export function* childrenOf(node: JsNode): Generator<JsNode> {
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
      return;
    case "template":
      for (const part of node.parts) if (typeof part !== "string") yield part;
      return;
    case "array":
      yield* node.elements;
      return;
    case "object":
      yield* node.members;
      return;
    case "property":
      if (typeof node.key !== "string") yield node.key;
      yield node.value;
      return;
    case "member":
      yield node.object;
      return;
    case "element":
      yield node.object;
      yield node.index;
      return;
    case "call":
    case "new":
      yield node.callee;
      yield* node.types;
      yield* node.args;
      return;
    case "function":
      yield* signatureOf(node);
      if ("kind" in node.body) yield node.body;
      else yield* node.body;
      return;
    case "functionDeclaration":
      yield* signatureOf(node);
      yield* node.body;
      return;
    case "parameter":
      yield* present(node.target, node.type, node.initial);
      return;
    case "unary":
    case "await":
    case "spread":
    case "nonNull":
      yield node.operand;
      return;
    case "yield":
      yield* present(node.operand);
      return;
    case "binary":
      yield node.left;
      yield node.right;
      return;
    case "conditional":
      yield node.condition;
      yield node.then;
      yield node.otherwise;
      return;
    case "assign":
      yield node.target;
      yield node.value;
      return;
    case "assertion":
      yield node.operand;
      yield node.type;
      return;
    case "objectPattern":
      for (const { target, initial } of node.members) yield* present(target, initial);
      yield* present(node.rest);
      return;
    case "arrayPattern":
      yield* present(...node.elements, node.rest);
      return;
    case "variable":
      yield* present(node.target, node.type, node.value);
      return;
    case "expression":
      yield node.expression;
      return;
    case "if":
      yield node.test;
      yield* node.then;
      yield* node.otherwise ?? [];
      return;
    case "while":
      yield node.test;
      yield* node.body;
      return;
    case "doWhile":
      yield* node.body;
      yield node.test;
      return;
    case "for":
      yield* present(node.initial, node.test, node.update);
      yield* node.body;
      return;
    case "forOf":
      yield node.target;
      yield node.values;
      yield* node.body;
      return;
    case "labeled":
      yield node.body;
      return;
    case "block":
      yield* node.body;
      return;
    case "switch":
      yield node.subject;
      for (const { tests, body } of node.cases) yield* [...tests, ...body];
      return;
    case "try":
      yield* node.body;
      yield* present(node.handler?.caught);
      yield* node.handler?.body ?? [];
      yield* node.finalizer ?? [];
      return;
    case "throw":
      yield node.value;
      return;
    case "return":
      yield* present(node.value);
      return;
    case "interface":
      for (const { constraint, fallback } of node.typeParameters) yield* present(constraint, fallback);
      yield* node.extends;
      yield* node.members;
      return;
    case "typeDeclaration":
      for (const { constraint, fallback } of node.typeParameters) yield* present(constraint, fallback);
      yield node.type;
      return;
    case "namedType":
      yield* node.args;
      return;
    case "arrayType":
      yield node.element;
      return;
    case "tupleType":
      yield* node.elements;
      return;
    case "objectType":
      yield* node.members;
      return;
    case "unionType":
      yield* node.types;
      return;
    case "functionType":
    case "methodSignature":
      for (const { type } of node.parameters) yield type;
      yield node.returns;
      return;
    case "typeQuery":
      yield node.of;
      return;
    case "indexedType":
      yield node.object;
      yield node.index;
      return;
    case "propertySignature":
      yield node.type;
      return;
    case "indexSignature":
      yield node.key;
      yield node.type;
      return;
    default:
      assertNever(node);
  }
}

/** Nodes and their descendants in preorder. */
export function* walkNodes(nodes: Iterable<JsNode>): Generator<JsNode> {
  const waiting = [...nodes].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node;
    if (isLeaf(node)) continue;
    const start = waiting.length;
    for (const child of childrenOf(node)) waiting.push(child);
    for (let i = start, j = waiting.length - 1; i < j; i += 1, j -= 1)
      [waiting[i], waiting[j]] = [waiting[j]!, waiting[i]!];
  }
}

/** Rewrites nodes top-down, but not inside those for which `isOpaque` then holds. */
export function mapNodes<T>(
  code: T,
  change: (node: JsNode) => JsNode,
  isOpaque: (node: JsNode) => boolean = () => false,
): T {
  if (Array.isArray(code)) return code.map((each) => mapNodes(each, change, isOpaque)) as T;
  if (typeof code !== "object" || code === null) return code;
  const node: object = "kind" in code ? change(code as unknown as JsNode) : code;
  if ("kind" in node && (isLeaf(node as JsNode) || isOpaque(node as JsNode))) return node as T;
  return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, mapNodes(part, change, isOpaque)])) as T;
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

function* signatureOf({ typeParameters, parameters, returns }: FunctionSignature): Generator<JsNode> {
  for (const { constraint, fallback } of typeParameters) yield* present(constraint, fallback);
  yield* parameters;
  yield* present(returns);
}

const present = (...nodes: readonly (JsNode | undefined)[]): readonly JsNode[] =>
  nodes.filter((node) => node !== undefined);
