import { binary, conditional, type Expression, literal, variable } from "../../../../src/expressions/index.ts";
import type { Case, Choose, Step } from "../../../../src/ir/workflow.ts";
import { type Computation, compute } from "./compute.ts";
import { freshId, inexact, inside, mayFail, partOf, type Site, to } from "./site.ts";

/** How many conditions are computed together at most. */
const most = 16;

/**
 * A choice whose conditions are all JSONata that does not fail. From the first condition on that is not, up to the last such, they are computed together, in
 * their order and only up to the first that holds: by an assignment, or by the function. Cases before these come first, as before.
 */
export function decisions(step: Choose, site: Site, id: string = step.id): readonly Step[] {
  const isOpen = ({ when }: Case): boolean => inexact(when) !== undefined || mayFail(when);
  const from = step.cases.findIndex(isOpen);
  if (from < 0) return [{ ...step, id }];
  const near = step.cases.slice(0, from + most);
  const upTo = near.findLastIndex(isOpen) + 1;
  const first = from > 0 ? freshId(id, "else", site) : id;
  const then = freshId(first, "then", site);
  const computation = decided(first, step, step.cases.slice(from, upTo), then, site);
  if (!computation) return [{ ...step, id }];
  const head: readonly Step[] =
    from > 0 ? [{ ...step, id, cases: step.cases.slice(0, from), otherwise: to(first, step) }] : [];
  const cases = chosen(computation.value, step.cases.slice(from, upTo));
  const rest = step.cases.slice(upTo);
  const tail: Choose = { ...step, ...inside(step), id: then, cases };
  if (!rest.some(isOpen)) return [...head, ...computation.steps, { ...tail, cases: [...cases, ...rest] }];
  const other = freshId(then, "else", site);
  const others = decisions({ ...step, ...inside(step), cases: rest }, site, other);
  return [...head, ...computation.steps, { ...tail, otherwise: to(other, step) }, ...others];
}

/** Steps that compute which of some cases is the first whose condition holds: its index, or null; whether it does where there is only one. */
function decided(id: string, step: Choose, cases: readonly Case[], next: string, site: Site): Computation | undefined {
  const expression = cases.length === 1 ? holds(cases[0]!) : firstThatHolds(cases);
  const parts = cases.flatMap(({ when, span }) => partOf(when, span, site.uncaught.has(id)) ?? []);
  if (parts.length > 0 || inexact(expression) !== undefined) return compute(id, step, expression, parts, next, site);
  const name = `${id} value'`;
  site.declare(name);
  const assign: Step = {
    kind: "assign",
    id,
    ...inside(step),
    values: [{ variable: name, value: expression }],
    next: to(next, step),
  };
  return { steps: [assign], value: variable(name) };
}

const holds = ({ when }: Case): Expression => binary("==", when, literal(true));

const firstThatHolds = (cases: readonly Case[]): Expression =>
  cases.reduceRight((otherwise, each, i) => conditional(holds(each), literal(i), otherwise), literal(null));

const chosen = (value: Expression, cases: readonly Case[]): readonly Case[] =>
  cases.map((each, i) => ({ ...each, when: binary("==", value, literal(cases.length === 1 ? true : i)) }));
