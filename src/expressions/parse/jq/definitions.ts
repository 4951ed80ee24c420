import {
  accept,
  advance,
  expect,
  expectAfterQuery,
  expectKind,
  isNext,
  nameHint,
  type Parser,
  shown,
  signal,
} from "./parser.ts";
import { readQuery } from "./query.ts";
import type { Definition, Label, Parameter } from "./syntax.ts";

/** Reads `def …; rest`. */
export function readDefinition(parser: Parser): Definition {
  const { start } = advance(parser);
  const name = expectKind(parser, "name", "A function's name").text;
  const parameters = readParameters(parser);
  expect(parser, ":");
  const body = readQuery(parser);
  expectAfterQuery(parser, ";", "A definition ends with `;`.");
  if (parser.token.kind === "end")
    signal(parser, "An expression is missing after the definition.", "Write `.` for the input as it is.");
  return { kind: "definition", name, parameters, body, rest: readQuery(parser), start, end: parser.end };
}

function readParameters(parser: Parser): readonly Parameter[] {
  if (!accept(parser, "(")) return [];
  if (isNext(parser, ")"))
    signal(
      parser,
      "A parameter is missing between `(` and `)`.",
      "A function without parameters is written without parentheses.",
    );
  const parameters = [readParameter(parser)];
  while (accept(parser, ";")) parameters.push(readParameter(parser));
  expect(parser, ")", parser.token.text === "," ? "Parameters are separated by `;`." : undefined);
  return parameters;
}

function readParameter(parser: Parser): Parameter {
  const { kind } = parser.token;
  if (kind !== "variable" && kind !== "name")
    signal(parser, `A parameter is missing before ${shown(parser)}.`, nameHint(parser));
  const { text, start, end } = advance(parser);
  return { name: text, byValue: kind === "variable", start, end };
}

/** Reads `label $name | body`. */
export function readLabel(parser: Parser): Label {
  const { start } = advance(parser);
  const name = expectKind(parser, "variable", "The label's name, such as `$out`,").text;
  expect(parser, "|");
  return { kind: "label", name, body: readQuery(parser), start, end: parser.end };
}
