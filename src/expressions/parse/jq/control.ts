import { accept, advance, expect, expectAfterQuery, isNext, nested, type Parser } from "./parser.ts";
import type { Pattern } from "./pattern-syntax.ts";
import { readPatterns } from "./patterns.ts";
import { readExpression, readQuery } from "./query.ts";
import type { Branch, Conditional, Foreach, Jq, Reduce, Try } from "./syntax.ts";
import { readTerm } from "./terms.ts";

/** Reads `if … then … elif … then … else … end`. */
export function readConditional(parser: Parser): Conditional {
  const { start } = parser.token;
  const branches: Branch[] = [];
  do {
    advance(parser);
    const condition = readQuery(parser);
    expectAfterQuery(parser, "then");
    branches.push({ condition, result: readQuery(parser) });
  } while (isNext(parser, "elif"));
  const otherwise = accept(parser, "else") ? readQuery(parser) : undefined;
  expectAfterQuery(
    parser,
    "end",
    otherwise?.kind === "if" ? "Each `if` has its own `end`; an `elif` needs none." : undefined,
  );
  return { kind: "if", branches, otherwise, start, end: parser.end };
}

/** Reads `try E` or `try E catch H`: both are terms, so that `try 1 + 2` is `(try 1) + 2`. */
export function readTry(parser: Parser): Try {
  const { start } = advance(parser);
  const body = nested(parser, readTerm);
  const handler = accept(parser, "catch") ? nested(parser, readTerm) : undefined;
  return { kind: "try", body, handler, start, end: parser.end };
}

/** Reads `reduce S as P (I; U)`. */
export function readReduce(parser: Parser): Reduce {
  const { start, source, patterns, initial, update } = readFold(parser);
  expectAfterQuery(parser, ")", isNext(parser, ";") ? "`reduce` takes two queries, `(initial; update)`." : undefined);
  return { kind: "reduce", source, patterns, initial, update, start, end: parser.end };
}

/** Reads `foreach S as P (I; U)` or `foreach S as P (I; U; E)`. */
export function readForeach(parser: Parser): Foreach {
  const { start, source, patterns, initial, update } = readFold(parser);
  const extract = accept(parser, ";") ? readQuery(parser) : undefined;
  expectAfterQuery(
    parser,
    ")",
    isNext(parser, ";") ? "`foreach` takes three queries at most, `(initial; update; extract)`." : undefined,
  );
  return { kind: "foreach", source, patterns, initial, update, extract, start, end: parser.end };
}

interface Fold {
  readonly start: number;
  readonly source: Jq;
  readonly patterns: readonly Pattern[];
  readonly initial: Jq;
  readonly update: Jq;
}

function readFold(parser: Parser): Fold {
  const { start, text } = advance(parser);
  const source = nested(parser, readExpression);
  expectAfterQuery(
    parser,
    "as",
    isNext(parser, "|") || isNext(parser, ",") ? `What \`${text}\` goes through is written in parentheses.` : undefined,
  );
  const patterns = readPatterns(parser);
  expect(parser, "(");
  const initial = readQuery(parser);
  expectAfterQuery(
    parser,
    ";",
    isNext(parser, ")") ? `\`${text}\` takes an initial value and an update, \`(initial; update)\`.` : undefined,
  );
  return { start, source, patterns, initial, update: readQuery(parser) };
}
