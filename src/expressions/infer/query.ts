import { assertNever } from "../../json.ts";
import { childOf, elementOf, memberOf, withinOf } from "../../shapes/members.ts";
import { isNever, never, type Shape } from "../../shapes/shape.ts";
import { union } from "../../shapes/union.ts";
import type { Span } from "../../text/source.ts";
import type { Query, Segment, Selector } from "../core/ast.ts";
import { infer } from "./infer.ts";
import { type Outcome, type Scope, several } from "./scope.ts";

/** The nodes that a JSONPath selects: some for certain where it is a chain of names that all values have. */
export function inferQuery({ source, segments, span }: Query, scope: Scope): Outcome {
  return segments.reduce((nodes, segment) => segmentNodes(nodes, segment, span, scope), infer(source, scope));
}

function segmentNodes(nodes: Outcome, { descend, selectors }: Segment, span: Span | undefined, scope: Scope): Outcome {
  const within = descend ? withinOf(nodes.shape) : nodes.shape;
  if (isNever(within)) return { shape: never, some: nodes.some && false };
  const found = selectors.map((selector) => selected(within, selector, span, scope));
  const some = !descend && nodes.some && found.some((each) => each.some);
  return { shape: union(...found.map(({ shape }) => shape)), some };
}

function selected(within: Shape, selector: Selector, span: Span | undefined, scope: Scope): Outcome {
  switch (selector.kind) {
    case "name": {
      const { shape, presence } = memberOf(within, selector.name);
      sight(within, selector.name, shape, selector.span ?? span, scope);
      return { shape, some: presence === "always" };
    }
    case "index": {
      const shape = elementOf(within);
      sight(within, selector.index, shape, selector.span ?? span, scope);
      return several(shape);
    }
    case "slice":
      return several(elementOf(within));
    case "wildcard":
      return several(childOf(within));
    case "filter": {
      const shape = childOf(within);
      if (!isNever(shape)) infer(selector.condition, { ...scope, input: shape });
      return several(shape);
    }
    default:
      return assertNever(selector);
  }
}

/** Tells of a step of a path, if somebody wrote it. */
export function sight(
  within: Shape,
  step: string | number,
  found: Shape,
  span: Span | undefined,
  { watch }: Scope,
): void {
  if (span && watch && !isNever(within)) watch({ span, within, step, exists: !isNever(found) });
}
