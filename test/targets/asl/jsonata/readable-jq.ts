import type { Expression } from "../../../../src/expressions/core/ast.ts";
import { collect, firstOr, literal, variable } from "../../../../src/expressions/core/build.ts";
import { simplify } from "../../../../src/expressions/simplify/simplify.ts";
import { parseCondition } from "../../../../src/expressions/syntax/condition/conditions.ts";
import { isParseError, type ParseError } from "../../../../src/expressions/syntax/cursor.ts";
import { parseJsonPath } from "../../../../src/expressions/syntax/jsonpath/jsonpath.ts";
import { compileTemplate } from "../../../../src/expressions/syntax/template.ts";
import type { Json } from "../../../../src/json.ts";
import { definitions, functionNames } from "../../../../targets/asl/jsonata/helpers/index.ts";
import { printJsonata } from "../../../../targets/asl/jsonata/print.ts";
import { environment } from "./compared-with-core.ts";

const data = variable("data");

/** A parse result; throws a parse error. */
function read<T extends object>(parsed: T | ParseError): T {
  if (isParseError(parsed)) throw new Error(parsed.message);
  return parsed as T;
}

/** A JSONPath's value or null, or its array of values if it can select several. */
export function path(text: string): Expression {
  const { query, definite } = read(parseJsonPath(text, data));
  return definite ? firstOr(query, literal(null)) : collect(query);
}

/** The nodes that a JSONPath selects. */
export const nodes = (text: string): Expression => read(parseJsonPath(text, data)).query;

export const condition = (text: string): Expression => read(parseCondition(text, { root: data }));

export const template = (value: Json): Expression =>
  compileTemplate({ value }, "value", {
    root: data,
    interpolate: true,
    report: (remark) => {
      throw new Error(remark.kind);
    },
  });

/** An expression as JSONata, with the names of its helpers instead of their definitions. */
export function shown(expression: Expression): string {
  let text = printJsonata(simplify(expression), environment, {
    isCount: (name) => name === "tries",
    types: new Map(),
    exposesMessages: true,
  });
  const names: string[] = [];
  for (const definition of definitions(functionNames, "full")) {
    if (!text.includes(`${definition}; `)) continue;
    text = text.replace(`${definition}; `, () => "");
    names.push(definition.slice(1, definition.indexOf(" ")));
  }
  return names.length === 0 ? text : `${names.sort().join(", ")}: ${text}`;
}
