import { createNames, type NameScope, identifierStyle } from "../../../src/ir/names.ts";
import {
  type Block,
  type Identifier,
  type JsNode,
  walkNodes,
  type ImportSource,
  mapNodes,
  type TypeReferenceNode,
} from "../../../src/js-ast/index.ts";
import { camelCase, reservedWords } from "../../../src/readable/names.ts";
import { throughJson, withoutPlain } from "./annotations.ts";
import { unnarrowed } from "./widening.ts";

export type { NameScope } from "../../../src/ir/names.ts";

/** Names of the emitted program, of which some are taken from the beginning; a scope in it sees those around it. */
export const namesWith = (taken: Iterable<string>): NameScope =>
  createNames([...reservedWords, ...taken], identifierStyle);

/** A text as a name of a type: `charge card` is `ChargeCard`. */
export function pascalCase(text: string): string {
  const name = camelCase(text);
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

const isReserved = (name: string): boolean => reservedWords.has(name);

/**
 * The declarations of a module as they are printed: types that turned out to be any JSON are called so, tests tell the type checker no more than it can
 * bear, and what is imported has names that nothing of the module has.
 */
export function finished(declarations: Block, plain: ReadonlySet<string>): Block {
  const types = new Map(
    declarations.flatMap((each) => (each.kind === "typeDeclaration" ? [[each.name, each.type] as const] : [])),
  );
  const typed = unnarrowed(mapNodes(declarations, (node) => throughJson(withoutPlain(node, plain), types)));
  const names = importNames(typed);
  return mapNodes(typed, (node) => renamed(node, names));
}

/** The names by which things are imported, by where they come from. */
function importNames(statements: Block): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const imported = new Map<string, Identifier | TypeReferenceNode>();
  for (const node of walkNodes(statements)) {
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

const keyOf = ({ module, exported }: ImportSource, name: string): string => `${module} ${exported ?? name}`;

function renamed(node: JsNode, names: ReadonlyMap<string, string>): JsNode {
  if ((node.kind !== "identifier" && node.kind !== "namedType") || !node.from) return node;
  const { module, exported = node.name } = node.from;
  const name = names.get(keyOf(node.from, node.name))!;
  return { ...node, name, from: name === exported ? { module } : { module, exported } };
}
