import type { Expression, Query, Segment, Selector } from "../../core/ast.ts";
import { and, balanced, call, identity, literal, query } from "../../core/build.ts";
import { isDefinite } from "./jsonpath.ts";

/**
 * `truthy(path)` by what RFC 9535 has: one place has to have a value that is neither false nor null; of several, the question goes into a filter.
 * Undefined where it cannot, as they come from a slice or from several names.
 */
export function withoutTruth(path: Expression): Expression | undefined {
  if (path.kind !== "query" || isDefinite(path.segments)) return placeIsTrue(path);
  const paths = pathsOf(path);
  if (!paths) return undefined;
  return balanced(
    "or",
    paths.map((one) =>
      isDefinite(one) ? placeIsTrue(query(path.source, one)) : call("exists", query(path.source, filtered(one))),
    ),
  );
}

function placeIsTrue(place: Expression): Expression {
  const differs = (value: boolean | null) => call("comparesNodes", place, literal("!="), literal(value));
  const isTrue = and(differs(false), differs(null));
  return place.kind === "identity" ? isTrue : and(call("exists", place), isTrue);
}

/** More paths are not made. */
const mostPaths = 20;

/**
 * Paths that together select what a path selects, where what comes last of all that can select several values are wildcards and filters: `..a` is
 * `.a` and `..*.a`.
 */
function pathsOf({ segments }: Query): readonly (readonly Segment[])[] | undefined {
  const paths: (readonly Segment[])[] = [];
  for (let path = segments; paths.length < mostPaths; ) {
    const last = lastIndefinite(path);
    const segment = path[last];
    if (!segment) return [path, ...paths];
    if (segment.selectors.every(isOpen)) return [path, ...paths];
    const step: Segment = { ...segment, descend: false };
    if (!isDefinite([step])) return undefined;
    const [before, after] = [path.slice(0, last), path.slice(last + 1)];
    paths.unshift([...before, { descend: true, selectors: [{ kind: "wildcard" }] }, step, ...after]);
    path = [...before, step, ...after];
  }
  return undefined;
}

const isOpen = ({ kind }: Selector): boolean => kind === "wildcard" || kind === "filter";

const lastIndefinite = (path: readonly Segment[]): number => path.findLastIndex((segment) => !isDefinite([segment]));

/** A path whose last wildcards or filters only let through what leads to a value that is true. */
function filtered(path: readonly Segment[]): readonly Segment[] {
  const last = lastIndefinite(path);
  const isTrue = placeIsTrue(query(identity, path.slice(last + 1)));
  const selectors = path[last]!.selectors.map((selector): Selector => {
    const condition = selector.kind === "filter" ? and(selector.condition, isTrue) : isTrue;
    return { kind: "filter", condition };
  });
  return [...path.slice(0, last), { ...path[last]!, selectors }];
}
