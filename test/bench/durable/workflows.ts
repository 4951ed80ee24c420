import type { JsonObject } from "../../../targets/typescript/runtime/json.ts";
import { type AnyWorkflow, defineWorkflow } from "../../../targets/typescript/runtime/workflow.ts";

/** The functions of the measured workflows. */
export interface BenchmarkFunctions {
  readonly next: (n: number) => number;
  readonly later: (n: number) => Promise<number>;
}

export const functions: BenchmarkFunctions = { next: (n) => n + 1, later: async (n) => n + 1 };

/** Repeats a loop of five steps. */
export const fiveSteps = defineWorkflow<BenchmarkFunctions, { readonly rounds: number }>({
  id: "five-steps",
  version: "1",
  name: "five steps",
  anyInput: true,
  async run(flow, { next }, { rounds }) {
    let data: JsonObject & { readonly left: number; readonly n: number } = { left: rounds, n: 0 };
    for (;;) {
      data = await flow.round("loop", data);
      if (data.left === 0) return data.n;
      let { n } = data;
      n = await flow.step("A", () => next(n));
      n = await flow.step("B", () => next(n));
      n = await flow.step("C", () => next(n));
      n = await flow.step("D", () => next(n));
      n = await flow.step("E", () => next(n));
      data = { left: data.left - 1, n };
    }
  },
});

/** Runs steps in sequence. */
export const sequence = defineWorkflow<BenchmarkFunctions, number>({
  id: "sequence",
  version: "1",
  name: "sequence",
  anyInput: true,
  async run(flow, { next }, count) {
    let n = 0;
    for (let i = 0; i < count; i++) {
      const before = n;
      n = await flow.step("Next", () => next(before));
    }
    return n;
  },
});

/** Runs one step per item with limited concurrency. */
export const each = defineWorkflow<BenchmarkFunctions, { readonly count: number; readonly width?: number }>({
  id: "each",
  version: "1",
  name: "each",
  anyInput: true,
  async run(flow, { later }, { count, width }) {
    const items = Array.from({ length: count }, (_, i) => i);
    const options = width === undefined ? {} : { width };
    const results = await flow.forEach("Each", items, (inner, n) => inner.step("Later", () => later(n)), options);
    return results.length;
  },
});

/** Waits for an event of its own, then runs a step. */
export const waiting = defineWorkflow<BenchmarkFunctions, string>({
  id: "waiting",
  version: "1",
  name: "waiting",
  anyInput: true,
  events: { go: { type: "go", correlation: (event) => event["who"] } },
  correlation: (input) => input,
  waits: { Wait: { alternatives: [{ all: [["go"]] }] } },
  async run(flow, { next }) {
    await flow.receive("Wait");
    return flow.step("Next", () => next(0));
  },
});

export const workflows = [sequence, waiting, each] as unknown as readonly AnyWorkflow[];
