import { collect, comma, type Expression, firstOr, literal, query } from "../../../../src/expressions/index.ts";
import type { Step } from "../../../../src/ir/workflow.ts";
import { compute } from "./compute.ts";
import { mayFail, partOf, type Site } from "./site.ts";

/** Steps that compute some of several values, and all of the values where they are. */
export interface Values {
  readonly steps: readonly Step[];
  readonly values: readonly Expression[];
}

/**
 * Values of which the function computes those that JSONata cannot, all at once, and before them in the list what may fail: the first that fails is the same.
 * Undefined where there is nothing for it to do, or nothing that it could.
 */
export function computeSome(
  id: string,
  step: Step,
  values: readonly Expression[],
  next: string,
  mustBeCaught: boolean,
  site: Site,
): Values | undefined {
  const reasons = values.map((value) => partOf(value, step.span, mustBeCaught));
  const last = reasons.findLastIndex((reason) => reason !== undefined);
  if (last < 0) return undefined;
  const indexes = values.flatMap((value, i) => (reasons[i] || (i < last && mayFail(value)) ? [i] : []));
  const parts = reasons.flatMap((reason) => reason ?? []);
  const chosen = indexes.map((i) => values[i]!);
  const computation = compute(
    id,
    step,
    chosen.length === 1 ? chosen[0]! : collect(comma(...chosen)),
    parts,
    next,
    site,
  );
  if (!computation) return undefined;
  const { value } = computation;
  const places = new Map(indexes.map((i, place) => [i, chosen.length === 1 ? value : elementOf(value, place)]));
  return { steps: computation.steps, values: values.map((each, i) => places.get(i) ?? each) };
}

const elementOf = (list: Expression, index: number): Expression =>
  firstOr(query(list, [{ descend: false, selectors: [{ kind: "index", index }] }]), literal(null));
