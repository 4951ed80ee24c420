import { assertNever } from "../json.ts";
import { commentLines, isIdentifierName, propertyKey, quoteString } from "./literals.ts";
import { append, indent, newLine, type Output, type PrintNode, printGroup, printList } from "./output.ts";
import type { ParameterSignature, TypeMember, TypeNode, TypeParameter, UnionTypeNode } from "./types.ts";

const typePrecedence = { function: 0, union: 1, intersection: 2, operator: 3, postfix: 4 } as const;

/** Prints a type: `readonly string[]`. */
export function printTypeNode(type: TypeNode, output: Output, least: number = typePrecedence.function): void {
  const needsParentheses = precedenceOf(type) < least;
  if (needsParentheses) append(output, "(");
  printBare(type, output);
  if (needsParentheses) append(output, ")");
}

/** Prints `: type` in TypeScript. */
export function printTypeAnnotation(type: TypeNode | undefined, output: Output): void {
  if (!type || !output.types) return;
  append(output, ": ");
  printTypeNode(type, output);
}

/** Prints `<A, B>` in TypeScript. */
export function printTypeArguments(types: readonly TypeNode[], output: Output): void {
  if (types.length === 0 || !output.types) return;
  printList(types, output, { ...angles, print: printItem });
}

/** Prints `<A extends B = C>` in TypeScript. */
export function printTypeParameters(parameters: readonly TypeParameter[], output: Output): void {
  if (parameters.length === 0 || !output.types) return;
  printList(parameters, output, {
    ...angles,
    print: ({ name, constraint, fallback }) => {
      append(output, name);
      if (constraint) append(output, " extends ");
      if (constraint) printTypeNode(constraint, output);
      if (fallback) append(output, " = ");
      if (fallback) printTypeNode(fallback, output);
    },
  });
}

/** Prints type members, one per line. */
export function printTypeBody(members: readonly TypeMember[], output: Output): void {
  if (members.length === 0) {
    append(output, "{}");
    return;
  }
  append(output, "{");
  indent(members, output, () => {
    for (const member of members) {
      newLine(output);
      printTypeMember(member, output);
      append(output, ";");
    }
  });
  newLine(output);
  append(output, "}");
}

/** Prints a doc comment. */
export function printDocComment(doc: string | undefined, output: Output): void {
  if (doc === undefined) return;
  const lines = commentLines(doc.trim());
  if (lines.length === 1) append(output, `/** ${lines[0]} */`);
  else {
    append(output, "/**");
    for (const line of lines) {
      newLine(output);
      append(output, line === "" ? " *" : ` * ${line}`);
    }
    newLine(output);
    append(output, " */");
  }
  newLine(output);
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

function printBare(type: TypeNode, output: Output): void {
  switch (type.kind) {
    case "keywordType":
      append(output, type.name);
      break;
    case "namedType":
      append(output, type.name);
      printTypeArguments(type.args, output);
      break;
    case "literalType":
      append(output, typeof type.value === "string" ? quoteString(type.value, output.charset) : String(type.value));
      break;
    case "arrayType":
      if (type.readonly) append(output, "readonly ");
      printTypeNode(type.element, output, typePrecedence.postfix);
      append(output, "[]");
      break;
    case "tupleType":
      if (type.readonly) append(output, "readonly ");
      printList(type.elements, output, { ...brackets, print: printItem });
      break;
    case "objectType":
      printObjectType(type.members, output);
      break;
    case "unionType":
      printUnion(type, output);
      break;
    case "functionType":
      printParameterSignatures(type.parameters, output);
      append(output, " => ");
      printTypeNode(type.returns, output);
      break;
    case "typeQuery":
      append(output, `typeof ${type.of.name}`);
      break;
    case "indexedType":
      printTypeNode(type.object, output, typePrecedence.postfix);
      append(output, "[");
      printTypeNode(type.index, output);
      append(output, "]");
      break;
    default:
      assertNever(type);
  }
}

function printObjectType(members: readonly TypeMember[], output: Output): void {
  if (members.length === 0) {
    append(output, "{}");
    return;
  }
  printList(members, output, { ...braces, print: printTypeMember });
}

/** `a & b` is never broken. */
function printUnion(type: UnionTypeNode, output: Output): void {
  if (type.operator === "&") printUnionFlat(type, output);
  else printGroup(type, output, printUnionFlat, printUnionBroken);
}

function printUnionFlat({ types, operator }: UnionTypeNode, output: Output): void {
  for (const [i, type] of types.entries()) {
    if (i > 0) append(output, ` ${operator} `);
    printTypeNode(type, output, operator === "|" ? typePrecedence.intersection : typePrecedence.operator);
  }
}

function printUnionBroken({ types, operator }: UnionTypeNode, output: Output): void {
  indent(types, output, () => {
    for (const type of types) {
      newLine(output);
      append(output, `${operator} `);
      printTypeNode(type, output, operator === "|" ? typePrecedence.intersection : typePrecedence.operator);
    }
  });
}

function printTypeMember(member: TypeMember, output: Output): void {
  printDocComment(member.doc, output);
  switch (member.kind) {
    case "propertySignature":
      append(output, `${member.readonly ? "readonly " : ""}${signatureKey(member.name, output)}`);
      append(output, member.optional ? "?: " : ": ");
      printTypeNode(member.type, output);
      break;
    case "indexSignature":
      append(output, `${member.readonly ? "readonly " : ""}[${member.name}: `);
      printTypeNode(member.key, output);
      append(output, "]: ");
      printTypeNode(member.type, output);
      break;
    case "methodSignature":
      append(output, propertyKey(member.name, output.charset));
      printParameterSignatures(member.parameters, output);
      append(output, ": ");
      printTypeNode(member.returns, output);
      break;
    default:
      assertNever(member);
  }
}

/** In types, `__proto__` is ordinary. */
const signatureKey = (name: string, { charset }: Output): string =>
  isIdentifierName(name) ? name : quoteString(name, charset);

function printParameterSignatures(parameters: readonly ParameterSignature[], output: Output): void {
  printList(parameters, output, {
    ...parentheses,
    print: ({ name, type, optional, rest }) => {
      append(output, `${rest ? "..." : ""}${name}${optional ? "?" : ""}: `);
      printTypeNode(type, output);
    },
  });
}

const printItem: PrintNode<TypeNode> = (type, output) => printTypeNode(type, output);

const angles = { open: "<", close: ">", space: "", separator: "," } as const;
const brackets = { open: "[", close: "]", space: "", separator: "," } as const;
const parentheses = { open: "(", close: ")", space: "", separator: "," } as const;
const braces = { open: "{", close: "}", space: " ", separator: ";" } as const;
