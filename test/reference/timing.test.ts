import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect, comma, literal, variable } from "../../src/expressions/core/build.ts";
import type { Branch, Step } from "../../src/ir/workflow.ts";
import {
  assign,
  branch,
  call,
  data,
  delay,
  emit,
  end,
  event,
  fail,
  forEach,
  fork,
  invoke,
  scope,
  workflow,
} from "./build.ts";
import { callsOf, interpretWorkflow, outcomeOf, returns } from "./interpreting.ts";

// Compares the timing of forks and loops with a naive model.

const durations = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 7 });
const works = (duration: number | undefined) => returns(duration ?? null, duration);

test("iterations start in order as soon as concurrency and gap allow", async () => {
  const body = scope([], call("Work", "work", variable("element"), "Given"), end("Given", variable("element")));
  await fc.assert(
    fc.asyncProperty(
      durations,
      fc.option(fc.integer({ min: 1, max: 4 })),
      fc.option(fc.integer({ min: 0, max: 5 })),
      async (items, width, gap) => {
        const each = forEach("Each", data, body, "End", {
          bind: "x",
          width: width ?? undefined,
          gap: gap ?? undefined,
        });
        const seen = await interpretWorkflow(workflow(scope(["data", "x"], each, end("End", variable("x")))), {
          input: items,
          functions: { work: (argument) => works(argument as number) },
        });
        expect(outcomeOf(seen)).toEqual({ output: items });
        expect(seen.elapsed).toBe(lastEnd(items, width ?? items.length, gap ?? 0));
        expect(seen.calls.map(({ argument }) => argument)).toEqual(items);
      },
    ),
    { seed: 11, numRuns: 200 },
  );
});

/** The time at which the last of several tasks ends, with limited concurrency and a minimum gap between starts. */
function lastEnd(items: readonly number[], width: number, gap: number): number {
  const ends: number[] = [];
  let begin = 0;
  for (const [i, duration] of items.entries()) {
    const free = i < width ? 0 : [...ends].sort((a, b) => a - b)[i - width]!;
    begin = Math.max(i === 0 ? 0 : begin + gap, free);
    ends.push(begin + duration);
  }
  return Math.max(...ends);
}

test("a join completes when enough branches have ended, with their results", async () => {
  await fc.assert(
    fc.asyncProperty(durations, fc.nat(), async (takes, pick) => {
      const count = 1 + (pick % takes.length);
      const names = takes.map((_, i) => `b${i}`);
      const branches = names.map((name) =>
        branch(
          name,
          scope(
            ["r"],
            call(`${name}/Work`, name, literal(null), `${name}/End`, { bind: "r" }),
            end(`${name}/End`, variable("r")),
          ),
        ),
      );
      const body = scope(
        ["data", "x"],
        fork("Fork", branches, "End", { join: { kind: "some", count }, failure: "spare", bind: "x" }),
        end("End", variable("x")),
      );
      const functions = Object.fromEntries(names.map((name, i) => [name, () => works(takes[i])]));
      const seen = await interpretWorkflow(workflow(body), { functions });
      const order = takes.map((duration, i) => ({ duration, i })).sort((a, b) => a.duration - b.duration || a.i - b.i);
      const first = order.slice(0, count).sort((a, b) => a.i - b.i);
      expect(outcomeOf(seen)).toEqual({
        output: Object.fromEntries(first.map(({ i, duration }) => [`b${i}`, duration])),
      });
      expect(seen.elapsed).toBe(order[count - 1]!.duration);
    }),
    { seed: 12, numRuns: 200 },
  );
});

test("nested branches and iterations make simultaneous calls in document order", async () => {
  /** Calls after some steps without effect. */
  const logs = (name: string, turns: number) => {
    const turn = (i: number) => (i === turns ? name : `${name}/${i}`);
    const stays = Array.from({ length: turns }, (_, i) => assign(turn(i), { n: literal(i) }, turn(i + 1)));
    return scope(
      ["n"],
      ...stays,
      call(name, "log", collect(comma(variable("element"), literal(name))), `${name}/End`),
      end(`${name}/End`, literal(null)),
    );
  };
  const inner = fork("Inner", [branch("slow", logs("slow", 3)), branch("quick", logs("quick", 0))], "Inner/End");
  const body = scope([], inner, end("Inner/End", literal(null)));
  const seen = await interpretWorkflow(
    workflow(scope(["data"], forEach("Each", literal([1, 2]), body, "End"), end("End", data))),
  );
  expect(seen.calls.map(({ argument }) => argument)).toEqual([
    [1, "slow"],
    [1, "quick"],
    [2, "slow"],
    [2, "quick"],
  ]);
});

describe("at one instant each activity runs until it waits", () => {
  /** A branch with some steps before `last`. */
  const turning = (name: string, turns: number, last: Step) => {
    const turn = (i: number) => (i === turns ? last.id : `${name}/${i}`);
    const stays = Array.from({ length: turns }, (_, i) => assign(turn(i), { n: literal(i) }, turn(i + 1)));
    return branch(name, scope(["n"], ...stays, last, end(`${name}/End`, literal(name))));
  };
  const forked = (...branches: readonly Branch[]) =>
    workflow(scope(["data"], fork("Fork", branches, "End"), end("End", data)), { events: [event("told")] });

  test("the first failing branch determines the failure, and nothing runs after it", async () => {
    const tells = (name: string) => emit(name, "told", literal(name), `${name}/End`);
    const seen = await interpretWorkflow(
      forked(
        turning("a", 3, tells("a")),
        turning("b", 9, fail("b/fails", "First")),
        turning("c", 0, fail("c/fails", "Second")),
        turning("d", 0, tells("d")),
      ),
    );
    expect(outcomeOf(seen)).toEqual({ error: "First", message: "" });
    expect(seen.emitted.map((told) => told["data"])).toEqual(["a"]);
  });

  test("waiting branches resume in branch order, not in the order of waiting", async () => {
    const waits = (name: string, times: readonly number[]) => {
      const step = (i: number) => (i === times.length ? name : `${name}/${i}`);
      const delays = times.map((seconds, i) => delay(step(i), literal(seconds), step(i + 1)));
      return branch(
        name,
        scope([], ...delays, call(name, "log", literal(name), `${name}/End`), end(`${name}/End`, literal(null))),
      );
    };
    const seen = await interpretWorkflow(forked(waits("a", [1, 1]), waits("b", [2])));
    expect(callsOf(seen)).toEqual(['log("a")', 'log("b")']);
  });

  test("a detached subflow runs after its starter", async () => {
    const logs = (name: string) => call(name, "log", literal(name), "End");
    const child = { ...workflow(scope(["data"], logs("child"), end("End", data))), id: "child" };
    const parent = scope(
      ["data"],
      invoke("Start", "child", data, "parent", { wait: false }),
      logs("parent"),
      end("End", data),
    );
    const seen = await interpretWorkflow(workflow(parent), { others: [child] });
    expect(callsOf(seen)).toEqual(['log("parent")', 'log("child")']);
  });
});
