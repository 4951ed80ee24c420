import { camelCase, reservedWords } from "../../../src/expressions/js/index.ts";
import { createNames, identifierStyle, type NameSpace } from "../../../src/ir/names.ts";
import {
  type Block,
  type Identifier,
  type ImportSource,
  type JsNode,
  mapNodes,
  type TypeReferenceNode,
  walkNodes,
} from "../../../src/js-ast/index.ts";
import { castThroughJson, eraseJsonAliases, namesNullAtFirst } from "./annotations.ts";
import { widenTypes } from "./type-widening.ts";

export type { NameSpace } from "../../../src/ir/names.ts";

/** Names in a generated program, with nested scopes. */
export const createProgramNames = (taken: Iterable<string>): NameSpace =>
  createNames([...reservedWords, ...taken], identifierStyle);

/** Converts a string to a type name: `charge card` → `ChargeCard`. */
export function pascalCase(words: string): string {
  const name = camelCase(words);
  return `${name[0]!.toUpperCase()}${name.slice(1)}`;
}

const isReserved = (name: string): boolean => reservedWords.has(name);

/** Erases types that mean `Json`, widens tests that narrow too much, and chooses import names. */
export function finalizeModule(declarations: Block, plain: ReadonlySet<string>): Block {
  const types = new Map(
    declarations.flatMap((each) => (each.kind === "typeDeclaration" ? [[each.name, each.type] as const] : [])),
  );
  const nulls = namesNullAtFirst(declarations);
  const cast = (node: JsNode): JsNode => castThroughJson(eraseJsonAliases(node, plain), types, nulls);
  const typed = widenTypes(mapNodes(declarations, cast));
  const names = chooseImportNames(typed);
  return mapNodes(typed, (node) => renameImport(node, names));
}

function chooseImportNames(statements: Block): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const imported = new Map<string, Identifier | TypeReferenceNode>();
  for (const node of walkNodes(statements)) {
    if (node.kind === "functionDeclaration" || node.kind === "interface" || node.kind === "typeDeclaration")
      taken.add(node.name);
    if (node.kind !== "identifier" && node.kind !== "namedType") continue;
    if (node.from) imported.set(importKey(node.from, node.name), node);
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

const importKey = ({ module, exported }: ImportSource, name: string): string => `${module} ${exported ?? name}`;

function renameImport(node: JsNode, names: ReadonlyMap<string, string>): JsNode {
  if ((node.kind !== "identifier" && node.kind !== "namedType") || !node.from) return node;
  const { module, exported = node.name } = node.from;
  const name = names.get(importKey(node.from, node.name))!;
  return { ...node, name, from: name === exported ? { module } : { module, exported } };
}
