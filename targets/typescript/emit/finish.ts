import {
  type Block,
  type Identifier,
  type NamedType,
  type Node,
  nodesIn,
  type Origin,
} from "../../../src/code/index.ts";
import { jsonType } from "../expressions/runtime.ts";
import { isReserved } from "./names.ts";

/**
 * The declarations of a module as they are printed: types that turned out to be any JSON are called so, and what is imported has names that nothing of
 * the module has.
 */
export function finished(declarations: Block, plain: ReadonlySet<string>): Block {
  const typed = rebuilt(declarations, (node) => withoutPlain(node, plain));
  const names = importNames(typed);
  return rebuilt(typed, (node) => renamed(node, names));
}

/** `Data` → `Json`, `value as Data` → `value` */
function withoutPlain(node: Node, plain: ReadonlySet<string>): Node {
  const isPlain = (type: Node) => type.kind === "namedType" && !type.from && plain.has(type.name);
  if (isPlain(node)) return jsonType;
  return node.kind === "assertion" && isPlain(node.type) ? withoutPlain(node.operand, plain) : node;
}

/** The names by which things are imported, by where they come from. */
function importNames(statements: Block): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const imported = new Map<string, Identifier | NamedType>();
  for (const node of nodesIn(statements)) {
    if (node.kind === "functionDeclaration" || node.kind === "interface" || node.kind === "typeDeclaration")
      taken.add(node.name);
    if (node.kind !== "identifier" && node.kind !== "namedType") continue;
    if (node.from) imported.set(keyOf(node.from, node.name), node);
    else taken.add(node.name);
  }
  const names = new Map<string, string>();
  for (const [key, { name }] of [...imported].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const isFree = (wanted: string) => !taken.has(wanted) && !isReserved(wanted);
    let free = name;
    for (let i = 2; !isFree(free); i += 1) free = `${name}${i}`;
    taken.add(free);
    names.set(key, free);
  }
  return names;
}

const keyOf = ({ module, exported }: Origin, name: string): string => `${module} ${exported ?? name}`;

function renamed(node: Node, names: ReadonlyMap<string, string>): Node {
  if ((node.kind !== "identifier" && node.kind !== "namedType") || !node.from) return node;
  const { module, exported = node.name } = node.from;
  const name = names.get(keyOf(node.from, node.name))!;
  return { ...node, name, from: name === exported ? { module } : { module, exported } };
}

/** Code in which each node is what a function makes of it, before the nodes in it. */
function rebuilt<T>(code: T, change: (node: Node) => Node): T {
  if (Array.isArray(code)) return code.map((each) => rebuilt(each, change)) as T;
  if (typeof code !== "object" || code === null) return code;
  const node: object = "kind" in code ? change(code as unknown as Node) : code;
  return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, rebuilt(part, change)])) as T;
}
