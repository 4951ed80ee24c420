import {
  type Block,
  type Expression,
  type Identifier,
  js,
  type NamedType,
  type Node,
  nodesIn,
  type Origin,
  rebuilt,
  sameCode,
  type Type,
} from "../../../src/code/index.ts";
import { freshNames, type Names, wordStyle } from "../../../src/ir/names.ts";
import { camelCase, reservedWords } from "../../../src/readable/names.ts";
import { jsonType } from "../expressions/runtime.ts";
import { unnarrowed } from "./widening.ts";

export type { Names } from "../../../src/ir/names.ts";

/** Names of the emitted program, of which some are taken from the beginning; a scope in it sees those around it. */
export const namesWith = (taken: Iterable<string>): Names => freshNames([...reservedWords, ...taken], wordStyle);

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
  const typed = unnarrowed(rebuilt(declarations, (node) => throughJson(withoutPlain(node, plain), types)));
  const names = importNames(typed);
  return rebuilt(typed, (node) => renamed(node, names));
}

/** `Data` → `Json`, `value as Data` → `value`, `value as Json as Data` → `value`, `const name: Data = f(x)` → `const name = f(x)`, `const name: Data = other` → `const name: Json = other`, `const name = [] as Data` → `const name: Json = []` */
function withoutPlain(node: Node, plain: ReadonlySet<string>): Node {
  const isPlain = (type: Node) => type.kind === "namedType" && !type.from && plain.has(type.name);
  if (isPlain(node)) return jsonType;
  if (node.kind === "variable" && node.keyword === "const" && node.value && node.type && isPlain(node.type))
    return {
      ...node,
      type: isEmptyList(bare(node.value)) || bare(node.value).kind === "identifier" ? jsonType : undefined,
    };
  const isSaidTwice =
    node.kind === "variable" && node.keyword === "const" && node.value?.kind === "assertion" && node.type !== undefined;
  if (isSaidTwice && bare(node.value).kind === "identifier") return { ...node, type: undefined };
  if (node.kind === "variable" && !node.type && node.value?.kind === "assertion" && isEmptyList(bare(node.value)))
    return { ...node, type: isPlain(node.value.type) ? jsonType : undefined };
  return node.kind === "assertion" && isPlain(node.type) ? withoutPlain(withoutJson(node.operand), plain) : node;
}

/** `{ list: [] } as Data` → `{ list: [] } as Json as Data`, where something of the value is of another type than the declared one by its form. */
function throughJson(node: Node, types: ReadonlyMap<string, Type>): Node {
  if (node.kind !== "assertion" || !isOther(node.operand, node.type, types)) return node;
  return { ...node, operand: js.as(node.operand, jsonType) };
}

function isOther(value: Expression, type: Type, types: ReadonlyMap<string, Type>, isMember = false): boolean {
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
function isNoObject(value: Expression, isMember: boolean): boolean {
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
const withoutJson = (value: Expression): Expression =>
  value.kind === "assertion" && sameCode(value.type, jsonType) && value.operand.kind !== "await"
    ? value.operand
    : value;

/** A value without what it is taken to be. */
export const bare = (value: Expression): Expression => (value.kind === "assertion" ? bare(value.operand) : value);

/** TypeScript has to be told the type of a variable that begins with this. */
const isEmptyList = (value: Expression): boolean => value.kind === "array" && value.elements.length === 0;

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
