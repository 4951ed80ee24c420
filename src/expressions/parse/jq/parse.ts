import { FaultSignal, longestText, type Parsed, parsing } from "../fault.ts";
import { checkKeys } from "./constants.ts";
import { tokenAt } from "./lexer.ts";
import { deepestQuery, type Parser, signal, signalDepth } from "./parser.ts";
import { readEnd, readQuery } from "./query.ts";
import type { Jq } from "./syntax.ts";
import { childrenOf } from "./walk.ts";

/**
 * Parses a jq program by the grammar of jq 1.8.2, but for modules. Names are not looked up: see `names.ts`. The tree is never deeper than a small
 * multiple of `deepestQuery`, so that passes over it may be recursive.
 */
export function parseJq(text: string): Parsed<Jq> {
  return parsing(() => {
    if (text.length > longestText) {
      throw new FaultSignal({
        fault: "limit",
        from: 0,
        to: text.length,
        message: "This expression is longer than a million characters.",
      });
    }
    const parser: Parser = { text, token: tokenAt(text, 0), end: 0, depth: 0, lines: { offset: 0, count: 1 } };
    if (parser.token.kind === "end") signal(parser, "This expression is empty.", "Write `.` for the input as it is.");
    const query = readQuery(parser);
    readEnd(parser);
    checkDepth(query);
    checkKeys(query);
    return query;
  });
}

/** Operators and accesses in a row nest without the parser's noticing; this walks with a stack of its own. */
function checkDepth(query: Jq): void {
  const open: { readonly query: Jq; readonly depth: number }[] = [{ query, depth: 1 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const depth = next.depth + 1;
    for (const child of childrenOf(next.query)) {
      if (depth > deepestTree) signalDepth(child.start, child.end);
      open.push({ query: child, depth });
    }
  }
}

/** Some queries open two levels of the tree at once, such as a pipe in an array. */
const deepestTree = 2 * deepestQuery;
