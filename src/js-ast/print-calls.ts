import {
  brokenGroup,
  choice,
  type Document,
  group,
  indent,
  line,
  softLine,
  trailingComma,
  willBreak,
} from "../layout/index.ts";
import { isIdentifierName, quoteString } from "./literals.ts";
import { precedence } from "./precedence.ts";
import { isSimple, printChain } from "./print-chains.ts";
import { isListOfNumbers, printAccessed, printExpression } from "./print-expressions.ts";
import { printFunction } from "./print-functions.ts";
import { printTypeArguments } from "./print-types.ts";
import type { Place, Style } from "./style.ts";
import type { CallExpression, ElementAccess, JsExpression, NewExpression, PropertyAccess } from "./tree.ts";

/** Prints a call, with a line per call if it ends a long chain. */
export function printCall(call: CallExpression, style: Style, place: Place): Document {
  const { callee, optional } = call;
  if (callee.kind === "member" || callee.kind === "element") return printChain(call, style, place);
  const printed = [printAccessed(callee, style, "callee"), optional ? "?." : "", printArguments(call, style)];
  return callee.kind === "call" ? group(printed) : printed;
}

/** Prints `new callee(arguments)`. */
export function printNew(expression: NewExpression, style: Style): Document {
  const least = isPath(expression.callee) ? precedence.postfix : precedence.primary + 1;
  return ["new ", printExpression(expression.callee, style, "callee", least), printArguments(expression, style)];
}

const isPath = (expression: JsExpression): boolean =>
  expression.kind === "identifier" ||
  (expression.kind === "member" && !expression.optional && isPath(expression.object));

/** Prints `.name`, `["any name"]` or `[index]`. */
export function printLookup(access: PropertyAccess | ElementAccess, style: Style): Document {
  const { optional } = access;
  if (access.kind === "member" && isIdentifierName(access.name)) return `${optional ? "?." : "."}${access.name}`;
  const open = optional ? "?.[" : "[";
  if (access.kind === "element" && access.index.kind === "literal" && typeof access.index.value === "number")
    return [open, printExpression(access.index, style), "]"];
  const index =
    access.kind === "member" ? quoteString(access.name, style.charset) : printExpression(access.index, style);
  return group([open, indent([softLine, index]), softLine, "]"]);
}

/** An argument, and its form if it alone has lines of its own. */
interface PrintedArgument {
  readonly whole: Document;
  readonly hugged: Document | undefined;
}

/** Prints type arguments and arguments. The last or first one may have lines of its own while the others do not. */
export function printArguments({ types, args }: CallExpression | NewExpression, style: Style): Document {
  const typeArguments = printTypeArguments(types, style);
  if (args.length === 0) return [typeArguments, "()"];
  return [
    typeArguments,
    printList(
      args,
      args.map((argument) => printArgument(argument, style)),
    ),
  ];
}

function printArgument(argument: JsExpression, style: Style): PrintedArgument {
  if (argument.kind === "function") return printFunction(argument, style);
  const whole = printExpression(argument, style, "argument");
  return { whole, hugged: whole };
}

function printList(args: readonly JsExpression[], printed: readonly PrintedArgument[]): Document {
  const separated = printed.map(({ whole }, i): Document => (i < printed.length - 1 ? [whole, ",", line] : whole));
  const onLines = (): Document => brokenGroup(["(", indent([line, ...separated]), trailingComma, line, ")"]);
  if (composesFunctions(args)) return onLines();
  const isFirst = mayExpandFirst(args);
  if (isFirst || mayExpandLast(args)) {
    const { hugged } = isFirst ? printed[0]! : printed.at(-1)!;
    const others = isFirst ? [", ", printed[1]!.whole] : separated.slice(0, -1);
    if (hugged === undefined || others.some(willBreak)) return onLines();
    const around = (argument: Document): Document =>
      isFirst ? ["(", argument, ...others, ")"] : ["(", ...others, argument, ")"];
    return expand(hugged, around, onLines());
  }
  const contents = ["(", indent([softLine, ...separated]), trailingComma, softLine, ")"];
  return group(contents);
}

/** All on one line, then only one argument on lines, then each on its own. */
function expand(argument: Document, around: (argument: Document) => Document, onLines: Document): Document {
  const expanded = around(brokenGroup(argument));
  return willBreak(argument) ? choice([expanded, onLines]) : choice([around(argument), expanded, onLines]);
}

/** Whether several arguments are functions with statements, or one is a call with functions. */
function composesFunctions(args: readonly JsExpression[]): boolean {
  if (args.length <= 1) return false;
  const functions = args.filter((argument) => argument.kind === "function" && hasStatements(argument));
  const isCallWithFunction = (argument: JsExpression): boolean =>
    (argument.kind === "call" || argument.kind === "new") && argument.args.some(({ kind }) => kind === "function");
  return functions.length > 1 || args.some(isCallWithFunction);
}

const hasStatements = (argument: JsExpression): boolean =>
  argument.kind === "function" && (argument.style === "function" || !("kind" in argument.body));

function mayExpandFirst(args: readonly JsExpression[]): boolean {
  const [first, second] = args;
  if (args.length !== 2 || !hasStatements(first!)) return false;
  if (second!.kind === "function" || second!.kind === "conditional" || mayExpand(second!)) return false;
  if (second!.kind === "binary") return isSimple(second!.left, 1) && isSimple(second!.right, 1);
  if (second!.kind === "assertion") return isSimple(second!.operand, 1);
  return !((second!.kind === "call" || second!.kind === "new") && second!.args.length > 1) && isSimple(second!, 2);
}

function mayExpandLast(args: readonly JsExpression[]): boolean {
  const last = args.at(-1)!;
  const before = args.at(-2);
  if (!mayExpand(last) || before?.kind === last.kind) return false;
  if (args.length === 2 && before!.kind === "function" && last.kind === "array") return false;
  return args.length === 1 || last.kind !== "array" || !isListOfNumbers(last.elements);
}

function mayExpand(argument: JsExpression, isInner = false): boolean {
  switch (argument.kind) {
    case "object":
      return argument.members.length > 0;
    case "array":
      return argument.elements.length > 0;
    case "assertion":
      return mayExpand(argument.operand);
    case "function": {
      const { body } = argument;
      if (!("kind" in body) || body.kind === "object" || body.kind === "array") return true;
      if (body.kind === "function") return body.style === "arrow" && mayExpand(body, true);
      return !isInner && (body.kind === "conditional" || body.kind === "call");
    }
    default:
      return false;
  }
}
