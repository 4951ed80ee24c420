import { assertNever } from "../json.ts";
import {
  type Document,
  group,
  hardLine,
  ifBroken,
  indent,
  join,
  line,
  softLine,
  trailingComma,
} from "../layout/index.ts";
import { commentLines, isIdentifierName, propertyKey, stringLiteral } from "./literals.ts";
import type { Style } from "./style.ts";
import type {
  MethodSignature,
  ParameterSignature,
  TypeMember,
  TypeNode,
  TypeParameter,
  UnionTypeNode,
} from "./types.ts";

const typePrecedence = { function: 0, union: 1, intersection: 2, operator: 3, postfix: 4 } as const;

/** Prints a type: `readonly string[]`. */
export function printTypeNode(
  type: TypeNode,
  style: Style,
  least: number = typePrecedence.function,
  isArgument = false,
): Document {
  if (precedenceOf(type) < least) {
    const printed = type.kind === "unionType" ? printUnionLines(type, style) : printBare(type, style, isArgument);
    return type.kind === "unionType" ? group(["(", indent([softLine, printed]), softLine, ")"]) : ["(", printed, ")"];
  }
  return printBare(type, style, isArgument);
}

/** Prints `: type` in TypeScript. */
export const printTypeAnnotation = (type: TypeNode | undefined, style: Style): Document =>
  type && style.types ? [": ", printTypeNode(type, style)] : "";

/** Prints `<A, B>` in TypeScript. */
export function printTypeArguments(types: readonly TypeNode[], style: Style): Document {
  if (types.length === 0 || !style.types) return "";
  const printed = types.map((type) => printTypeNode(type, style, typePrecedence.function, true));
  const [only] = types;
  if (types.length === 1 && (isSimpleType(only!) || isHuggedType(only!))) return ["<", printed, ">"];
  return group(["<", indent([softLine, join([",", line], printed)]), softLine, ">"]);
}

/** Prints `<A extends B = C>` in TypeScript. */
export function printTypeParameters(parameters: readonly TypeParameter[], style: Style): Document {
  if (parameters.length === 0 || !style.types) return "";
  const printed = parameters.map(
    ({ name, constraint, fallback }): Document => [
      name,
      constraint ? [" extends ", printTypeNode(constraint, style)] : "",
      fallback ? [" = ", printTypeNode(fallback, style)] : "",
    ],
  );
  return group(["<", indent([softLine, join([",", line], printed), trailingComma]), softLine, ">"]);
}

/** Prints type members, one per line. */
export function printTypeBody(members: readonly TypeMember[], style: Style): Document {
  if (members.length === 0) return "{}";
  const printed = members.map((member): Document => [hardLine, printTypeMember(member, style), ";"]);
  return ["{", indent(printed), hardLine, "}"];
}

/** Prints a doc comment. */
export function printDocComment(doc: string | undefined): Document {
  if (doc === undefined) return "";
  const lines = commentLines(doc.trim());
  if (lines.length === 1) return [`/** ${lines[0]} */`, hardLine];
  return ["/**", ...lines.flatMap((text) => [hardLine, text === "" ? " *" : ` * ${text}`]), hardLine, " */", hardLine];
}

function precedenceOf(type: TypeNode): number {
  switch (type.kind) {
    case "functionType":
      return typePrecedence.function;
    case "unionType":
      return type.operator === "|" ? typePrecedence.union : typePrecedence.intersection;
    case "arrayType":
    case "tupleType":
      return type.readonly ? typePrecedence.operator : typePrecedence.postfix;
    case "typeQuery":
      return typePrecedence.operator;
    default:
      return typePrecedence.postfix;
  }
}

function printBare(type: TypeNode, style: Style, isArgument: boolean): Document {
  switch (type.kind) {
    case "keywordType":
      return type.name;
    case "namedType":
      return [type.name, printTypeArguments(type.args, style)];
    case "literalType":
      return typeof type.value === "string" ? stringLiteral(type.value, style.charset) : String(type.value);
    case "arrayType":
      return [type.readonly ? "readonly " : "", printTypeNode(type.element, style, typePrecedence.postfix), "[]"];
    case "tupleType": {
      const elements = type.elements.map((element) => printTypeNode(element, style, typePrecedence.function, true));
      const list = indent([softLine, join([",", line], elements), trailingComma]);
      return [type.readonly ? "readonly " : "", elements.length === 0 ? "[]" : group(["[", list, softLine, "]"])];
    }
    case "objectType":
      return printObjectType(type.members, style);
    case "unionType":
      return printUnion(type, style, isArgument);
    case "functionType":
      return group([
        group(printParameterSignatures(type.parameters, style)),
        " => ",
        printTypeNode(type.returns, style),
      ]);
    case "typeQuery":
      return `typeof ${type.of.name}`;
    case "indexedType":
      return [printTypeNode(type.object, style, typePrecedence.postfix), "[", printTypeNode(type.index, style), "]"];
    default:
      return assertNever(type);
  }
}

function printObjectType(members: readonly TypeMember[], style: Style): Document {
  if (members.length === 0) return "{}";
  const printed = members.map((member) => printTypeMember(member, style));
  return group(["{", indent([line, join([";", line], printed), ifBroken(";")]), line, "}"]);
}

/** `a & b` is never broken. */
function printUnion(type: UnionTypeNode, style: Style, isArgument: boolean): Document {
  if (type.operator === "&") return join(" & ", printOperands(type, style));
  if (isHuggedType(type)) return join(" | ", printOperands(type, style));
  const lines = printUnionLines(type, style);
  return isArgument ? lines : group(indent([softLine, lines]));
}

/** Prints a union on one line, or with a line per type. */
export const printUnionLines = (type: UnionTypeNode, style: Style): Document =>
  group(
    printOperands(type, style).map((operand, i) => [
      i === 0 ? ifBroken(`${type.operator} `) : [line, `${type.operator} `],
      indent(operand),
    ]),
  );

const printOperands = ({ types, operator }: UnionTypeNode, style: Style): readonly Document[] =>
  types.map((type) =>
    printTypeNode(type, style, operator === "|" ? typePrecedence.intersection : typePrecedence.operator),
  );

const isSimpleType = (type: TypeNode): boolean =>
  type.kind === "keywordType" || (type.kind === "namedType" && type.args.length === 0);

/** Whether a type is an object, possibly with `null` and the like, whose braces begin and end the lines. */
function isHuggedType(type: TypeNode): boolean {
  if (type.kind === "objectType") return true;
  if (type.kind !== "unionType" || type.operator === "&") return false;
  const others = type.types.filter(
    ({ kind, ...rest }) =>
      !(kind === "keywordType" && "name" in rest && (rest.name === "null" || rest.name === "void")),
  );
  return others.length === 1 && others.length < type.types.length && others[0]!.kind === "objectType";
}

function printTypeMember(member: TypeMember, style: Style): Document {
  const comment = printDocComment(member.doc);
  switch (member.kind) {
    case "propertySignature": {
      const key = `${member.readonly ? "readonly " : ""}${signatureKey(member.name, style)}`;
      return [comment, key, member.optional ? "?: " : ": ", printTypeNode(member.type, style)];
    }
    case "indexSignature": {
      const key = [`${member.readonly ? "readonly " : ""}[${member.name}: `, printTypeNode(member.key, style), "]: "];
      return [comment, key, printTypeNode(member.type, style)];
    }
    case "methodSignature":
      return [comment, printMethodSignature(member, style)];
    default:
      return assertNever(member);
  }
}

function printMethodSignature({ name, parameters, returns }: MethodSignature, style: Style): Document {
  const list = printParameterSignatures(parameters, style);
  const returnsFirst = parameters.length === 1 && returns.kind === "objectType";
  return group([
    propertyKey(name, style.charset),
    returnsFirst ? group(list) : list,
    group([": ", printTypeNode(returns, style)]),
  ]);
}

/** In types, `__proto__` is ordinary. */
const signatureKey = (name: string, { charset }: Style): string =>
  isIdentifierName(name) ? name : stringLiteral(name, charset);

function printParameterSignatures(parameters: readonly ParameterSignature[], style: Style): Document {
  if (parameters.length === 0) return "()";
  const printed = parameters.map(
    ({ name, type, optional, rest }): Document => [
      `${rest ? "..." : ""}${name}${optional ? "?" : ""}: `,
      printTypeNode(type, style),
    ],
  );
  const [only] = parameters;
  if (parameters.length === 1 && only!.type.kind === "objectType") return ["(", printed, ")"];
  const comma = parameters.at(-1)!.rest ? "" : trailingComma;
  return ["(", indent([softLine, join([",", line], printed), comma]), softLine, ")"];
}
