import { builtinOf } from "../builtins/builtins.ts";
import type { Call, Expression } from "../core/ast.ts";
import { type TypeName, typeOf as typeOfValue } from "../library/types.ts";
import { factsOf } from "./facts.ts";

/** The type of all outputs of an expression, where it is known to be one, by the types of its parts. */
export function typeOf(expression: Expression): TypeName | undefined {
  switch (expression.kind) {
    case "literal":
      return typeOfValue(expression.value);
    case "object":
    case "array":
      return expression.kind;
    case "logic":
      return "boolean";
    case "binary":
      return binaryType(expression.operator, commonType([expression.left, expression.right]));
    case "comma":
      return commonType(expression.items);
    case "pipe":
      return factsOf(expression.right).type;
    case "let":
      return factsOf(expression.body).type;
    case "if":
      return commonType([expression.then, expression.otherwise]);
    case "call":
      return callType(expression);
    default:
      return moreType(expression);
  }
}

function moreType(expression: Expression): TypeName | undefined {
  switch (expression.kind) {
    case "path":
      return "array";
    case "interpolation":
      return "string";
    case "alternative":
      return commonType([expression.left, expression.right]);
    case "try":
      return expression.handler ? commonType([expression.body, expression.handler]) : factsOf(expression.body).type;
    case "label":
      return factsOf(expression.body).type;
    case "define":
      return factsOf(expression.rest).type;
    default:
      return undefined;
  }
}

function commonType(expressions: readonly Expression[]): TypeName | undefined {
  const [first, ...rest] = expressions.map((expression) => factsOf(expression).type);
  return rest.every((type) => type === first) ? first : undefined;
}

function binaryType(operator: string, operands: TypeName | undefined): TypeName | undefined {
  if (/^[=!<>]/.test(operator)) return "boolean";
  return operator === "+" || operands === "number" ? operands : undefined;
}

function callType(expression: Call): TypeName | undefined {
  const [target, value, third] = expression.args;
  const [targetType, valueType] = [target && factsOf(target).type, value && factsOf(value).type];
  switch (expression.name) {
    case "first":
      return targetType;
    case "merge":
      return valueType;
    case "mergeResult":
      return valueType === "null" || valueType === undefined
        ? targetType === "object"
          ? "object"
          : undefined
        : "object";
    case "place": {
      const literalPath = value?.kind === "literal" && Array.isArray(value.value) ? value.value : undefined;
      if (literalPath === undefined) return undefined;
      return literalPath.length === 0 ? third && factsOf(third).type : "object";
    }
    default:
      return builtinOf(expression.name, expression.args.length)?.returns;
  }
}
