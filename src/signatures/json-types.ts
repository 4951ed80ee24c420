import type { ts } from "ts-morph";
import type { Span } from "../text/source.ts";
import {
  any,
  anyArray,
  anyObject,
  arrayOf,
  boolean,
  type Fuel,
  fuelOf,
  literal,
  type MemberType,
  never,
  nullType,
  number,
  objectOf,
  spend,
  string,
  type Type,
  type TypeDefinition,
  union,
} from "../types/index.ts";
import type { InexactPart } from "./signature.ts";

/** TypeScript's compiler with a program, to read types from. */
export interface TypeContext {
  readonly ts: typeof ts;
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  /** The place of a node, for messages. */
  spanOf(node: ts.Node): Span;
}

/** Converts types to those of their JSON, as `JSON.stringify` writes it. */
export interface TypeConverter {
  /** The type of a whole value. A result that is undefined becomes null. */
  convert(type: ts.Type, of: InexactPart["of"]): Type;
  readonly inexact: readonly InexactPart[];
}

const maxParts = 20_000;

const maxDepth = 40;

const maxInexact = 20;

/**
 * Creates a converter. Types that TypeScript's structural typing leaves open stay open: objects may have other members
 * than those of their type. Large, deep and generic types are widened.
 */
export function createTypeConverter(context: TypeContext): TypeConverter {
  const inexact: InexactPart[] = [];
  const names = new Set<string>();
  return {
    inexact,
    convert(type, of) {
      const state = { ...context, inexact, names, fuel: fuelOf(maxParts), known: new Map(), open: new Map() };
      const converted = convertPart(type, { of, path: "", depth: 0 }, state);
      return of === "result" ? orNull(converted) : converted.type;
    },
  };
}

interface ConversionState extends TypeContext {
  readonly inexact: InexactPart[];
  readonly fuel: Fuel;
  readonly known: Map<ts.Type, ConvertedType>;
  /** Types that are being converted, and their definitions if they refer to themselves. */
  readonly open: Map<ts.Type, DraftDefinition | undefined>;
  readonly names: Set<string>;
}

type DraftDefinition = { -readonly [key in keyof TypeDefinition]: TypeDefinition[key] };

interface Place {
  readonly of: InexactPart["of"];
  readonly path: string;
  readonly depth: number;
}

/** The JSON of a value, and whether it may be undefined. */
interface ConvertedType {
  readonly type: Type;
  readonly isOptional: boolean;
}

const definite = (type: Type): ConvertedType => ({ type, isOptional: false });

const absent: ConvertedType = { type: never, isOptional: true };

const unknown: ConvertedType = { type: any, isOptional: true };

/** `undefined` becomes null where a value must be. */
const orNull = ({ type, isOptional }: ConvertedType): Type => (isOptional ? union(type, nullType) : type);

function convertPart(type: ts.Type, place: Place, state: ConversionState): ConvertedType {
  if (!spend(state.fuel) || place.depth > maxDepth) return unknown;
  const scalar = convertScalar(type, place, state);
  if (scalar) return scalar;
  const { ts, checker } = state;
  if (type.isUnion()) return uniteParts(type.types.map((part) => convertPart(part, place, state)));
  if (type.flags & (ts.TypeFlags.TypeParameter | ts.TypeFlags.Conditional | ts.TypeFlags.IndexedAccess)) {
    const constraint = checker.getBaseConstraintOfType(type);
    return constraint && constraint !== type ? convertPart(constraint, deeper(place), state) : unknown;
  }
  if (type.isIntersection()) {
    const primitive = type.types.find((part) => !(part.flags & structured(ts)));
    if (primitive) return convertPart(primitive, deeper(place), state);
  }
  if (!(type.flags & structured(ts))) return unknown;
  return convertStructured(type, place, state);
}

const structured = ({ TypeFlags }: typeof ts): ts.TypeFlags => TypeFlags.Object | TypeFlags.Intersection;

const deeper = (place: Place): Place => ({ ...place, depth: place.depth + 1 });

function uniteParts(parts: readonly ConvertedType[]): ConvertedType {
  return { type: union(...parts.map(({ type }) => type)), isOptional: parts.some(({ isOptional }) => isOptional) };
}

function convertScalar(type: ts.Type, place: Place, state: ConversionState): ConvertedType | undefined {
  const { TypeFlags } = state.ts;
  const { flags } = type;
  if (flags & (TypeFlags.Any | TypeFlags.Unknown)) return unknown;
  if (flags & TypeFlags.Never) return definite(never);
  if (flags & TypeFlags.VoidLike) return absent;
  if (flags & TypeFlags.Null) return definite(nullType);
  // A number can be assigned to an enum of numbers.
  if (flags & TypeFlags.EnumLike && flags & TypeFlags.NumberLike) return definite(number);
  if (type.isStringLiteral() || type.isNumberLiteral()) return definite(literal(type.value));
  if (flags & TypeFlags.BooleanLiteral) return definite(literal(state.checker.typeToString(type) === "true"));
  if (flags & TypeFlags.BooleanLike) return definite(boolean);
  if (flags & TypeFlags.NumberLike) return definite(number);
  if (flags & TypeFlags.StringLike) return definite(string);
  if (flags & TypeFlags.BigIntLike) return inexactPart("a `bigint`", place, state);
  if (flags & TypeFlags.ESSymbolLike) return inexactPart("a `symbol`", place, state);
  if (flags & TypeFlags.NonPrimitive) return definite(union(anyObject, anyArray));
  return undefined;
}

function inexactPart(what: string, { of, path }: Place, { inexact }: ConversionState): ConvertedType {
  if (inexact.length < maxInexact && !inexact.some((each) => each.of === of && each.path === path))
    inexact.push({ of, path, what });
  return unknown;
}

/** Types that refer to themselves become references to definitions. */
function convertStructured(type: ts.Type, place: Place, state: ConversionState): ConvertedType {
  const known = state.known.get(type);
  if (known) return known;
  if (state.open.has(type)) {
    const draft = state.open.get(type) ?? { name: definitionName(type, state), type: any };
    state.open.set(type, draft);
    return definite({ kind: "reference", definition: draft });
  }
  state.open.set(type, undefined);
  const converted = convertObjectOrArray(type, place, state);
  const draft = state.open.get(type);
  state.open.delete(type);
  if (draft) draft.type = converted.type;
  const found = draft ? { ...converted, type: { kind: "reference", definition: draft } as const } : converted;
  state.known.set(type, found);
  return found;
}

function definitionName(type: ts.Type, { names }: ConversionState): string {
  const symbol = type.aliasSymbol ?? type.symbol;
  const wanted = symbol && /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(symbol.name) && !symbol.name.startsWith("__");
  const base = wanted ? symbol.name.slice(0, 100) : "Type";
  let name = base;
  for (let i = 2; names.has(name); i++) name = `${base}${i}`;
  names.add(name);
  return name;
}

function convertObjectOrArray(type: ts.Type, place: Place, state: ConversionState): ConvertedType {
  const { checker } = state;
  if (checker.isArrayType(type) || checker.isTupleType(type)) {
    const elements = checker.getTypeArguments(type as ts.TypeReference);
    const inner = { ...deeper(place), path: `${place.path}[]` };
    return definite(arrayOf(union(...elements.map((element) => orNull(convertPart(element, inner, state))))));
  }
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    return inexactPart("a function", place, state);
  const builtin = builtinName(type, state);
  return builtin === undefined ? convertObject(type, place, state) : inexactPart(builtin, place, state);
}

/** A class or interface of the language's library with methods, such as `Date` and `Map`. */
function builtinName(type: ts.Type, { program, checker }: ConversionState): string | undefined {
  const declarations = type.symbol?.declarations ?? [];
  const isBuiltin =
    type.isClassOrInterface() || ("target" in type && (type.target as ts.Type | undefined)?.isClassOrInterface());
  if (!isBuiltin || declarations.length === 0) return undefined;
  if (!declarations.some((each) => program.isSourceFileDefaultLibrary(each.getSourceFile()))) return undefined;
  const hasMethods = checker.getPropertiesOfType(type).some((member) => isMethod(member, checker));
  return hasMethods ? `a \`${type.symbol.name}\`` : undefined;
}

function isMethod(member: ts.Symbol, checker: ts.TypeChecker): boolean {
  return checker.getTypeOfSymbol(member).getCallSignatures().length > 0;
}

function convertObject(type: ts.Type, place: Place, state: ConversionState): ConvertedType {
  const { checker, ts } = state;
  const members = new Map<string, MemberType>();
  for (const member of checker.getPropertiesOfType(type)) {
    // Members with symbols and private names as keys have no JSON.
    if (String(member.escapedName).startsWith("__@") || String(member.escapedName).startsWith("__#")) continue;
    const name = ts.unescapeLeadingUnderscores(member.escapedName);
    members.set(name, convertMember(member, name, place, state));
  }
  const rest = convertRest(type, place, state);
  if (members.size === 0 && rest.kind === "any") {
    // `{}` is the type of every value except null.
    return definite(checker.getPropertiesOfType(type).length > 0 ? anyObject : any);
  }
  const [declaration] = type.symbol?.declarations ?? [];
  return definite(objectOf(members, rest, declaration && state.spanOf(declarationName(declaration, ts))));
}

function convertMember(member: ts.Symbol, name: string, place: Place, state: ConversionState): MemberType {
  const { ts, checker, spanOf } = state;
  const [declaration] = member.declarations ?? [];
  const inner: Place = { ...deeper(place), path: place.path === "" ? name : `${place.path}.${name}` };
  const isAccessor = declaration !== undefined && ts.isAccessor(declaration) && ts.isClassLike(declaration.parent);
  const { type, isOptional } = isAccessor
    ? inexactPart("an accessor of a class", inner, state)
    : convertPart(checker.getTypeOfSymbol(member), inner, state);
  const required = !isOptional && !(member.flags & ts.SymbolFlags.Optional);
  const isPlain = type.origin || type.kind === "any" || type.kind === "reference" || type === never;
  if (isPlain || !declaration) return { type, required };
  return { type: { ...type, origin: spanOf(declarationName(declaration, ts)) }, required };
}

const declarationName = (declaration: ts.Declaration, { getNameOfDeclaration }: typeof ts): ts.Node =>
  getNameOfDeclaration(declaration) ?? declaration;

/** The type of unlisted members: that of an index signature for all strings, otherwise any. */
function convertRest(type: ts.Type, place: Place, state: ConversionState): Type {
  const { TypeFlags } = state.ts;
  const index = state.checker.getIndexInfosOfType(type).find(({ keyType }) => keyType.flags & TypeFlags.String);
  return index ? convertPart(index.type, { ...deeper(place), path: `${place.path}[*]` }, state).type : any;
}
