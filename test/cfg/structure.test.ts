import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { structureScope } from "../../src/cfg/structure.ts";
import { innerBlocks, type StructuredBlock } from "../../src/cfg/tree.ts";
import { reachableSteps, stepsById } from "../../src/ir/walk.ts";
import type { Scope } from "../../src/ir/workflow.ts";
import { cpuTime } from "../cpu.ts";
import { deepScopes, type Sketch, scopeOf, scopes } from "./graphs.ts";
import { stepsIn, visitsOf, walkGraph, walkTree } from "./walks.ts";

/** All reachable steps, including those in attempts. */
function reachableIn(scope: Scope): readonly string[] {
  const steps = stepsById(scope);
  return [...reachableSteps(scope)].flatMap((id) => {
    const step = steps.get(id)!;
    return step.kind === "attempt" ? [id, ...reachableIn(step.body)] : [id];
  });
}

function depthOf(block: StructuredBlock): number {
  return 1 + Math.max(0, ...block.flatMap(innerBlocks).map(depthOf));
}

describe("any graph as a structured program", () => {
  test("visits the same steps in the same order for all decisions", { timeout: 60_000 }, () => {
    const decisions = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(scopes(), fc.array(decisions, { minLength: 4, maxLength: 4 }), (scope, all) => {
        const tree = structureScope(scope);
        for (const given of all)
          expect(visitsOf(given, (walk) => walkTree(tree, walk))).toEqual(
            visitsOf(given, (walk) => walkGraph(scope, walk)),
          );
      }),
      { seed: 31, numRuns: 4000 },
    );
  });

  test("even with deeply nested choices", { timeout: 60_000 }, () => {
    const decisions = fc.array(fc.constantFrom(0, 1, 1, 2), { minLength: 150, maxLength: 150 });
    let deepest = 0;
    fc.assert(
      fc.property(deepScopes, fc.array(decisions, { minLength: 5, maxLength: 5 }), (scope, all) => {
        const tree = structureScope(scope);
        deepest = Math.max(deepest, depthOf(tree));
        for (const given of all)
          expect(visitsOf(given, (walk) => walkTree(tree, walk))).toEqual(
            visitsOf(given, (walk) => walkGraph(scope, walk)),
          );
      }),
      { seed: 33, numRuns: 500 },
    );
    expect(deepest).toBeGreaterThan(13);
  });

  test("contains each reachable step once", { timeout: 60_000 }, () => {
    fc.assert(
      fc.property(scopes(), (scope) => {
        expect([...stepsIn(structureScope(scope))].sort()).toEqual([...reachableIn(scope)].sort());
      }),
      { seed: 32, numRuns: 4000 },
    );
  });
});

const numbered = (count: number, sketch: (i: number) => { readonly [id: string]: Sketch }): Scope =>
  scopeOf(
    Object.assign({}, ...Array.from({ length: count }, (_, i) => sketch(i)), {
      [`s${count}`]: { kind: "end", ways: [] },
    }),
  );

describe("long workflows are not deeply nested and take linear time", () => {
  test.each<[string, number, (i: number) => { readonly [id: string]: Sketch }]>([
    ["steps in a row", 10_000, (i) => ({ [`s${i}`]: { kind: "assign", ways: [`s${i + 1}`] } })],
    [
      "choices whose ways come together",
      10_000,
      (i) => ({
        [`s${i}`]: { kind: "choose", ways: [`a${i}`, `b${i}`], hasOtherwise: true },
        [`a${i}`]: { kind: "assign", ways: [`s${i + 1}`] },
        [`b${i}`]: { kind: "assign", ways: [`s${i + 1}`] },
      }),
    ],
    [
      "calls with handlers",
      5_000,
      (i) => ({
        [`s${i}`]: { kind: "call", ways: [`s${i + 1}`], handlers: [`h${i}`] },
        [`h${i}`]: { kind: "assign", ways: [`s${i + 1}`] },
      }),
    ],
    [
      "loops one after the other",
      2_000,
      (i) => ({
        [`s${i}`]: { kind: "choose", ways: [`a${i}`, `s${i + 1}`], hasOtherwise: true },
        [`a${i}`]: { kind: "assign", ways: [`s${i}`] },
      }),
    ],
    [
      "choices that may end early",
      5_000,
      (i) => ({
        [`s${i}`]: { kind: "choose", ways: [`e${i}`, `s${i + 1}`], hasOtherwise: true },
        [`e${i}`]: { kind: "end", ways: [] },
      }),
    ],
    [
      "choices that may go on to the end",
      5_000,
      (i) => ({ [`s${i}`]: { kind: "choose", ways: ["s5000", `s${i + 1}`], hasOtherwise: true } }),
    ],
    [
      "calls with one handler for all",
      5_000,
      (i) => ({ [`s${i}`]: { kind: "call", ways: [`s${i + 1}`], handlers: ["s5000"] } }),
    ],
  ])("%s", { timeout: 30_000 }, (_, count, sketch) => {
    const scope = numbered(count, sketch);
    const begun = cpuTime();
    const tree = structureScope(scope);
    expect(cpuTime() - begun).toBeLessThan(5_000);
    expect(depthOf(tree)).toBeLessThan(40);
  });
});
