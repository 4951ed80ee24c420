import { assertNever } from "../json.ts";
import {
  type Document,
  group,
  ifBroken,
  indent,
  join,
  line,
  oneLine,
  softLine,
  trailingComma,
  willBreak,
} from "../layout/index.ts";
import { propertyKey } from "./literals.ts";
import { printBlock } from "./print.ts";
import { printExpression } from "./print-expressions.ts";
import { printTypeAnnotation, printTypeParameters } from "./print-types.ts";
import type { Style } from "./style.ts";
import type {
  ArrayBindingPattern,
  BindingPattern,
  BindingProperty,
  FunctionExpression,
  FunctionSignature,
  JsExpression,
  ObjectBindingPattern,
  ParameterDeclaration,
} from "./tree.ts";

/** Prints a binding pattern: `name`, `{ a, b: c = 1, ...rest }`, `[a, , b]`. */
export function printPattern(pattern: BindingPattern, style: Style): Document {
  switch (pattern.kind) {
    case "identifier":
      return pattern.name;
    case "objectPattern":
      return group(printObjectPattern(pattern, style));
    case "arrayPattern":
      return printArrayPattern(pattern, style);
    default:
      return assertNever(pattern);
  }
}

/** Prints `<T>(a: string, b = 1): R` of a function. */
export function printSignature(signature: FunctionSignature, style: Style): Document {
  const { typeParameters, parameters, returns } = signature;
  const returned = printTypeAnnotation(returns, style);
  const printed = printParameters(parameters, style);
  const returnsFirst = parameters.length === 1 && returns?.kind === "objectType" && typeParameters.length <= 1;
  return [printTypeParameters(typeParameters, style), group([returnsFirst ? group(printed) : printed, returned])];
}

function printParameters(parameters: readonly ParameterDeclaration[], style: Style): Document {
  if (parameters.length === 0) return "()";
  const printed = parameters.map((parameter) => printParameter(parameter, style));
  const [only] = parameters;
  if (parameters.length === 1 && isHugged(only!)) return ["(", printed, ")"];
  const comma = parameters.at(-1)!.rest ? "" : trailingComma;
  return ["(", indent([softLine, join([",", line], printed), comma]), softLine, ")"];
}

const isHugged = ({ target, type, initial }: ParameterDeclaration): boolean =>
  target.kind === "identifier" ? type?.kind === "objectType" && !initial : !initial || isEmpty(initial);

const isEmpty = (initial: JsExpression): boolean =>
  initial.kind === "identifier" ||
  (initial.kind === "object" && initial.members.length === 0) ||
  (initial.kind === "array" && initial.elements.length === 0);

/** A function, and its form as an argument whose parameters stay on the line of the call, if it may have it. */
export interface PrintedFunction {
  readonly whole: Document;
  readonly hugged: Document | undefined;
}

/** Prints `(a) => a`, `async function f(a) { … }`. */
export function printFunction(expression: FunctionExpression, style: Style): PrintedFunction {
  const { style: syntax, async, generator, name = "", body } = expression;
  const written = printSignature(expression, style);
  const signatures = [group(written), willBreak(written) ? undefined : oneLine(written)] as const;
  const prefix = async ? "async " : "";
  const [whole, hugged] = signatures.map((signature): ((body: Document) => Document) | undefined => {
    if (!signature) return undefined;
    if (syntax === "function")
      return (printed) => [`${prefix}function${generator ? "*" : ""} ${name}`, signature, printed];
    return (printed) => group([prefix, signature, " =>", printed]);
  });
  if (syntax === "function" || !("kind" in body)) {
    const printed = [" ", "kind" in body ? printExpression(body, style) : printBlock(body, style)];
    return { whole: whole!(printed), hugged: hugged?.(printed) };
  }
  const result = printExpression(body, style, "arrowBody");
  return {
    whole: whole!(group(printResult(body, result))),
    hugged: hugged?.(group(printResult(body, result, [trailingComma, softLine]))),
  };
}

/** The result of an arrow function: on its line if it begins with a bracket, otherwise indented if it does not fit. */
function printResult(body: JsExpression, printed: Document, end: Document = ""): Document {
  const isObject = beginsWithBrace(body);
  switch (body.kind) {
    case "object":
      return [" (", printed, ")"];
    case "array":
    case "function":
      return [" ", printed];
    case "conditional":
      if (isObject) break;
      return group([ifBroken("", " ("), indent([softLine, printed]), ifBroken("", ")"), end]);
    default:
      break;
  }
  return [indent([line, isObject ? ["(", printed, ")"] : printed]), end];
}

function beginsWithBrace(expression: JsExpression): boolean {
  switch (expression.kind) {
    case "object":
      return true;
    case "member":
    case "element":
      return beginsWithBrace(expression.object);
    case "call":
      return beginsWithBrace(expression.callee);
    case "binary":
      return beginsWithBrace(expression.left);
    case "conditional":
      return beginsWithBrace(expression.condition);
    case "assertion":
    case "nonNull":
      return beginsWithBrace(expression.operand);
    default:
      return false;
  }
}

function printParameter({ target, type, optional, rest, initial }: ParameterDeclaration, style: Style): Document {
  const printed = target.kind === "objectPattern" ? printObjectPattern(target, style) : printPattern(target, style);
  return [
    rest ? "..." : "",
    printed,
    optional && style.types ? "?" : "",
    printTypeAnnotation(type, style),
    initial ? [" = ", printExpression(initial, style, "assigned")] : "",
  ];
}

function printObjectPattern({ members, rest }: ObjectBindingPattern, style: Style): Document {
  if (members.length === 0 && !rest) return "{}";
  const printed = members.map((member) => printBindingProperty(member, style));
  const all = rest ? [...printed, `...${rest.name}`] : printed;
  return ["{", indent([line, join([",", line], all), rest ? "" : trailingComma]), line, "}"];
}

function printBindingProperty({ key, target, initial }: BindingProperty, style: Style): Document {
  const isShort = target.kind === "identifier" && target.name === key && key !== "__proto__";
  return [
    isShort ? "" : `${propertyKey(key, style.charset)}: `,
    printPattern(target, style),
    initial ? [" = ", printExpression(initial, style, "assigned")] : "",
  ];
}

function printArrayPattern({ elements, rest }: ArrayBindingPattern, style: Style): Document {
  const printed = elements.map((element): Document => (element ? printPattern(element, style) : ""));
  const all = rest ? [...printed, `...${rest.name}`] : printed;
  const separated = all.map((item, i): Document => {
    if (i === all.length - 1) return item;
    return [item, ",", all[i + 1] === "" ? "" : line];
  });
  const isSkipping = !rest && elements.length > 0 && elements.at(-1) === undefined;
  return group(["[", indent([softLine, ...separated, isSkipping ? "," : rest ? "" : trailingComma]), softLine, "]"]);
}
