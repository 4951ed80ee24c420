import { maxExpressionLength, type ParseResult, runParser } from "../cursor.ts";
import { failLimit, failWith } from "./errors.ts";
import { readExpression } from "./operators.ts";
import { excerptOf, parserOf } from "./parser.ts";
import { checkSteps } from "./steps.ts";
import type { Jsonata } from "./syntax.ts";
import { childrenOf } from "./walk.ts";

/**
 * Parses a JSONata expression by the grammar of the package `jsonata` 2.2.2. It accepts what the package accepts, up to
 * the limits, and reports the package's code for what it refuses. The depth of the tree is bounded, so passes may be
 * recursive.
 */
export function parseJsonata(text: string): ParseResult<Jsonata> {
  return runParser(() => {
    if (text.length > maxExpressionLength)
      failLimit({ start: 0, end: text.length }, "This expression is longer than a million characters.");
    const parser = parserOf(text);
    const expression = readExpression(parser);
    if (parser.token.kind !== "end") failWith("S0201", parser.token, excerptOf(text, parser.token));
    checkSize(expression);
    checkSteps(expression, parser.missing);
    return expression;
  });
}

/**
 * Chains of operators nest without recursion in the parser, so their depth is checked here. So is the size of what
 * JSONata evaluates: it copies the left operand of `??` and `?:`, which is exponential if they are nested.
 */
function checkSize(expression: Jsonata): void {
  const open: { readonly node: Jsonata; readonly depth: number; readonly copies: number }[] = [
    { node: expression, depth: 1, copies: 1 },
  ];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    const depth = next.depth + 1;
    size += next.copies;
    if (depth > maxTreeDepth) failLimit(node, `This expression is nested more than ${maxTreeDepth} levels deep.`);
    if (size > maxSize) failLimit(node, "This expression is too large: `??` and `?:` copy their left operands.");
    for (const child of childrenOf(node)) {
      const isCopied = node.kind === "fallback" && child === node.left;
      open.push({ node: child, depth, copies: isCopied ? 2 * next.copies : next.copies });
    }
  }
}

const maxTreeDepth = 1000;
const maxSize = 500_000;
