import { assertNever } from "../../json.ts";
import type { Call, Expression, Segment, Selector } from "../ast.ts";
import { equalExpressions } from "../equal.ts";
import { isDefinite } from "../jsonpath.ts";

/**
 * A JSONPath as RFC 9535 writes it. `root` is what `$` stands for inside filters. Undefined where no such path has the same meaning:
 * a filter that asks whether one of several values is true, or that came from elsewhere than a path.
 */
export function printJsonPath(segments: readonly Segment[], root?: Expression): string | undefined {
  const path = printSegments(segments, root);
  return path === undefined ? undefined : `$${path}`;
}

type Text = string | undefined;

function printSegments(segments: readonly Segment[], root: Expression | undefined): Text {
  return all(
    segments.map((segment) => {
      const [only] = segment.selectors;
      const plain = segment.selectors.length === 1 && only?.kind === "name" && /^[A-Za-z_]\w*$/.test(only.name);
      if (plain) return `${segment.descend ? ".." : "."}${only.name}`;
      const selectors = all(
        segment.selectors.map((selector) => printSelector(selector, root)),
        ", ",
      );
      return selectors === undefined ? undefined : `${segment.descend ? ".." : ""}[${selectors}]`;
    }),
    "",
  );
}

function printSelector(selector: Selector, root: Expression | undefined): Text {
  switch (selector.kind) {
    case "name":
      return quote(selector.name);
    case "index":
      return String(selector.index);
    case "slice":
      return `${selector.start ?? ""}:${selector.end ?? ""}${selector.step === undefined ? "" : `:${selector.step}`}`;
    case "wildcard":
      return "*";
    case "filter": {
      const condition = printCondition(selector.condition, root, "or");
      return condition === undefined ? undefined : `?${condition}`;
    }
    default:
      return assertNever(selector);
  }
}

function printCondition(condition: Expression, root: Expression | undefined, around: "or" | "and"): Text {
  if (condition.kind === "logic") {
    const { operator } = condition;
    const text = all(
      [printCondition(condition.left, root, operator), printCondition(condition.right, root, operator)],
      operator === "and" ? " && " : " || ",
    );
    return text !== undefined && around === "and" && operator === "or" ? `(${text})` : text;
  }
  if (condition.kind !== "call") return undefined;
  const { args, name } = condition;
  switch (name) {
    case "not": {
      const inner = printCondition(args[0]!, root, "or");
      const bare = args[0]!.kind === "call" && args[0]!.name === "exists";
      return inner === undefined ? undefined : bare ? `!${inner}` : `!(${inner})`;
    }
    case "exists":
      return printPath(args[0]!, root);
    case "truthy":
      return printTruth(args[0]!, root);
    case "comparesNodes":
      return printComparison(condition, root);
    default:
      return undefined;
  }
}

/** True where the one selected value is there and neither false nor null. */
function printTruth(path: Expression, root: Expression | undefined): Text {
  const text = printPath(path, root);
  return text === undefined || (path.kind === "query" && !isDefinite(path.segments))
    ? undefined
    : `${text} && ${text} != false && ${text} != null`;
}

function printComparison({ args: [left, operator, right] }: Call, root: Expression | undefined): Text {
  const sign = operator?.kind === "literal" && typeof operator.value === "string" ? operator.value : undefined;
  return sign === undefined ? undefined : all([printComparable(left!, root), printComparable(right!, root)], ` ${sign} `);
}

function printComparable(side: Expression, root: Expression | undefined): Text {
  if (side.kind !== "literal" || (root !== undefined && equalExpressions(side, root))) return printPath(side, root);
  if (typeof side.value === "string") return quote(side.value);
  return typeof side.value === "object" && side.value !== null ? undefined : String(side.value);
}

function printPath(path: Expression, root: Expression | undefined): Text {
  const [source, segments] = path.kind === "query" ? [path.source, path.segments] : [path, []];
  const start = source.kind === "identity" ? "@" : root !== undefined && equalExpressions(source, root) ? "$" : undefined;
  const rest = printSegments(segments, root);
  return start === undefined || rest === undefined ? undefined : start + rest;
}

function all(texts: readonly Text[], separator: string): Text {
  return texts.every((text) => text !== undefined) ? texts.join(separator) : undefined;
}

/** A name or text in single quotes (RFC 9535, 2.7). */
function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
