import { assertNever } from "../json.ts";
import { commentLines, isWord, propertyKey, quoted } from "./literals.ts";
import { grouped, indented, lineBreak, list, type Output, put, type Write } from "./output.ts";
import type { ParameterSignature, TypeMember, TypeNode, TypeParameter, UnionTypeNode } from "./types.ts";

/** How tightly types bind, the loosest first. */
const level = { function: 0, union: 1, intersection: 2, operator: 3, postfix: 4 } as const;

/** Writes a type: `readonly string[]`. */
export function writeType(type: TypeNode, output: Output, least: number = level.function): void {
  const needsParentheses = levelOf(type) < least;
  if (needsParentheses) put(output, "(");
  writeBare(type, output);
  if (needsParentheses) put(output, ")");
}

/** Writes `: type` where types are written. */
export function writeAnnotation(type: TypeNode | undefined, output: Output): void {
  if (!type || !output.types) return;
  put(output, ": ");
  writeType(type, output);
}

/** Writes `<A, B>`; nothing of none, or where types are left out. */
export function writeTypeArguments(types: readonly TypeNode[], output: Output): void {
  if (types.length === 0 || !output.types) return;
  list(types, output, { ...angles, write: inList });
}

/** Writes `<A extends B = C>`; nothing of none, or where types are left out. */
export function writeTypeParameters(parameters: readonly TypeParameter[], output: Output): void {
  if (parameters.length === 0 || !output.types) return;
  list(parameters, output, {
    ...angles,
    write: ({ name, constraint, fallback }) => {
      put(output, name);
      if (constraint) put(output, " extends ");
      if (constraint) writeType(constraint, output);
      if (fallback) put(output, " = ");
      if (fallback) writeType(fallback, output);
    },
  });
}

/** Writes the members of an interface or an object's type, each in a line of its own. */
export function writeMemberLines(members: readonly TypeMember[], output: Output): void {
  if (members.length === 0) {
    put(output, "{}");
    return;
  }
  put(output, "{");
  indented(members, output, () => {
    for (const member of members) {
      lineBreak(output);
      writeTypeMember(member, output);
      put(output, ";");
    }
  });
  lineBreak(output);
  put(output, "}");
}

/** Writes a comment for what follows in the next line. */
export function writeDoc(doc: string | undefined, output: Output): void {
  if (doc === undefined) return;
  const lines = commentLines(doc.trim());
  if (lines.length === 1) put(output, `/** ${lines[0]} */`);
  else {
    put(output, "/**");
    for (const line of lines) {
      lineBreak(output);
      put(output, line === "" ? " *" : ` * ${line}`);
    }
    lineBreak(output);
    put(output, " */");
  }
  lineBreak(output);
}

function levelOf(type: TypeNode): number {
  switch (type.kind) {
    case "functionType":
      return level.function;
    case "unionType":
      return type.operator === "|" ? level.union : level.intersection;
    case "arrayType":
    case "tupleType":
      return type.readonly ? level.operator : level.postfix;
    case "typeQuery":
      return level.operator;
    default:
      return level.postfix;
  }
}

function writeBare(type: TypeNode, output: Output): void {
  switch (type.kind) {
    case "keywordType":
      put(output, type.name);
      break;
    case "namedType":
      put(output, type.name);
      writeTypeArguments(type.args, output);
      break;
    case "literalType":
      put(output, typeof type.value === "string" ? quoted(type.value, output.charset) : String(type.value));
      break;
    case "arrayType":
      if (type.readonly) put(output, "readonly ");
      writeType(type.element, output, level.postfix);
      put(output, "[]");
      break;
    case "tupleType":
      if (type.readonly) put(output, "readonly ");
      list(type.elements, output, { ...brackets, write: inList });
      break;
    case "objectType":
      writeObjectType(type.members, output);
      break;
    case "unionType":
      writeUnion(type, output);
      break;
    case "functionType":
      writeNamedParameters(type.parameters, output);
      put(output, " => ");
      writeType(type.returns, output);
      break;
    case "typeQuery":
      put(output, `typeof ${type.of.name}`);
      break;
    case "indexedType":
      writeType(type.object, output, level.postfix);
      put(output, "[");
      writeType(type.index, output);
      put(output, "]");
      break;
    default:
      assertNever(type);
  }
}

function writeObjectType(members: readonly TypeMember[], output: Output): void {
  if (members.length === 0) {
    put(output, "{}");
    return;
  }
  list(members, output, { ...braces, write: writeTypeMember });
}

/** `a | b`, or each in a line of its own behind a `|`; of `a & b` only the parts are broken. */
function writeUnion(type: UnionTypeNode, output: Output): void {
  if (type.operator === "&") writeUnionInLine(type, output);
  else grouped(type, output, writeUnionInLine, writeUnionInLines);
}

function writeUnionInLine({ types, operator }: UnionTypeNode, output: Output): void {
  for (const [i, type] of types.entries()) {
    if (i > 0) put(output, ` ${operator} `);
    writeType(type, output, operator === "|" ? level.intersection : level.operator);
  }
}

function writeUnionInLines({ types, operator }: UnionTypeNode, output: Output): void {
  indented(types, output, () => {
    for (const type of types) {
      lineBreak(output);
      put(output, `${operator} `);
      writeType(type, output, operator === "|" ? level.intersection : level.operator);
    }
  });
}

function writeTypeMember(member: TypeMember, output: Output): void {
  writeDoc(member.doc, output);
  switch (member.kind) {
    case "propertySignature":
      put(output, `${member.readonly ? "readonly " : ""}${signatureKey(member.name, output)}`);
      put(output, member.optional ? "?: " : ": ");
      writeType(member.type, output);
      break;
    case "indexSignature":
      put(output, `${member.readonly ? "readonly " : ""}[${member.name}: `);
      writeType(member.key, output);
      put(output, "]: ");
      writeType(member.type, output);
      break;
    case "methodSignature":
      put(output, propertyKey(member.name, output.charset));
      writeNamedParameters(member.parameters, output);
      put(output, ": ");
      writeType(member.returns, output);
      break;
    default:
      assertNever(member);
  }
}

/** In types `__proto__` is a name like any other. */
const signatureKey = (name: string, { charset }: Output): string => (isWord(name) ? name : quoted(name, charset));

function writeNamedParameters(parameters: readonly ParameterSignature[], output: Output): void {
  list(parameters, output, {
    ...parentheses,
    write: ({ name, type, optional, rest }) => {
      put(output, `${rest ? "..." : ""}${name}${optional ? "?" : ""}: `);
      writeType(type, output);
    },
  });
}

const inList: Write<TypeNode> = (type, output) => writeType(type, output);

const angles = { open: "<", close: ">", space: "", separator: "," } as const;
const brackets = { open: "[", close: "]", space: "", separator: "," } as const;
const parentheses = { open: "(", close: ")", space: "", separator: "," } as const;
const braces = { open: "{", close: "}", space: " ", separator: ";" } as const;
