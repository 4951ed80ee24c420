import fc from "fast-check";
import { expect, test } from "vitest";
import { analyzeProgram } from "../../src/analysis/index.ts";
import { literal, member } from "../../src/expressions/core/build.ts";
import { reachableSteps, scopesOf, successors } from "../../src/ir/walk.ts";
import type { Scope, Step } from "../../src/ir/workflow.ts";
import { programOf } from "../../src/ir/workflow.ts";
import {
  assign,
  attempt,
  branch,
  call,
  choose,
  data,
  delay,
  end,
  forEach,
  fork,
  handler,
  scope,
  workflow,
  yes,
} from "../reference/build.ts";
import { findings } from "./findings.ts";

const options = { seed: 20200630, numRuns: 400 };

/** A scope of steps that lead to each other, with ids that start with `prefix`. */
function scopeOf(
  prefix: string,
  stepAt: (id: string, to: fc.Arbitrary<string>) => fc.Arbitrary<Step>,
): fc.Arbitrary<Scope> {
  return fc.integer({ min: 1, max: 6 }).chain((count) => {
    const to = fc.integer({ min: 0, max: count - 1 }).map((i) => `${prefix}${i}`);
    const steps = Array.from({ length: count }, (_, i) => stepAt(`${prefix}${i}`, to));
    return fc.tuple(...steps).map((made) => scope(prefix === "" ? ["data"] : [], ...made));
  });
}

/** Steps with obvious successors, without inner scopes and conditions. */
const simple = (id: string, to: fc.Arbitrary<string>): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.constant(end(id, data)),
    to.map((next) => assign(id, {}, next)),
    to.map((next) => delay(id, literal(1), next)),
    fc.tuple(to, to).map(([next, caught]) => call(id, "ask", data, next, { handlers: [handler(yes, caught)] })),
  );

function choice(id: string, to: fc.Arbitrary<string>): fc.Arbitrary<Step> {
  const condition = fc.constantFrom(yes, literal(false), member(data, "x"), member(data, "y"));
  const cases = fc.array(fc.tuple(condition, to), { maxLength: 3 });
  return fc.tuple(cases, fc.option(to, { nil: undefined })).map(([made, otherwise]) => choose(id, made, otherwise));
}

/** Most kinds of steps, with inner scopes down to a depth. */
const nested =
  (depth: number) =>
  (id: string, to: fc.Arbitrary<string>): fc.Arbitrary<Step> => {
    const stop = fc.constant(end(id, data, "run"));
    if (depth === 0) return fc.oneof(simple(id, to), choice(id, to), stop);
    const inner = scopeOf(`${id}.`, nested(depth - 1));
    const split = fc.tuple(inner, to).map(([body, next]) => fork(id, [branch("one", body)], next));
    const each = fc.tuple(inner, to).map(([body, next]) => forEach(id, data, body, next));
    const tried = fc
      .tuple(inner, to, fc.boolean())
      .map(([body, next, timed]) => attempt(id, body, next, timed ? { timeout: 1 } : {}));
    return fc.oneof(simple(id, to), choice(id, to), stop, split, each, tried);
  };

test("no check throws, and reachability is the closure of the transitions", () => {
  fc.assert(
    fc.property(scopeOf("", nested(2)), (body) => {
      const made = workflow(body);
      const warned = findings(made).flatMap((line) => /^warning WB3001 at (\S+):/.exec(line)?.[1] ?? []);
      const lost = scopesOf(made).flatMap(({ scope: at }) =>
        at.steps.filter(({ id }) => !closure(at).has(id)).map(({ id }) => id),
      );
      expect(warned).toEqual(lost);
    }),
    options,
  );
});

test("a missing end is reported exactly if a reachable step cannot reach an end", () => {
  fc.assert(
    fc.property(scopeOf("", simple), (body) => {
      const told = findings(workflow(body)).some((line) => /^error WB300[34] at/.test(line));
      const ends = body.steps.filter(({ kind }) => kind === "end").map(({ id }) => id);
      const stuck = [...closure(body)].some((id) => !ends.some((reached) => from(body, id).has(reached)));
      expect(told).toBe(stuck);
    }),
    options,
  );
});

const closure = (at: Scope): ReadonlySet<string> => from(at, at.entry.name);

/** The steps that are reachable from one, as a fixpoint. */
function from(at: Scope, id: string): ReadonlySet<string> {
  const reached = new Set([id]);
  for (let before = -1; before !== reached.size; ) {
    before = reached.size;
    for (const step of at.steps) if (reached.has(step.id)) for (const { name } of successors(step)) reached.add(name);
  }
  return reached;
}

test("ten thousand steps in a scope, and a hundred nested scopes", () => {
  const count = 10_000;
  const chain = Array.from({ length: count }, (_, i) => assign(`S${i}`, {}, i + 1 < count ? `S${i + 1}` : "End"));
  const long = workflow(scope(["data"], ...chain, end("End", data)));
  expect(reachableSteps(long.body).size).toBe(count + 1);
  let deep = scope([], end("Innermost", data));
  for (let i = 0; i < 100; i++)
    deep = scope(i === 99 ? ["data"] : [], forEach(`F${i}`, data, deep, `E${i}`), end(`E${i}`, data));
  expect(scopesOf(workflow(deep))).toHaveLength(101);
  expect(findings(long)).toEqual([]);
  expect(analyzeProgram(programOf([workflow(deep)]), () => {})).toBe(true);
});
