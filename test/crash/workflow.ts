import { type AnyWorkflow, defineWorkflow } from "../../targets/typescript/runtime/workflow.ts";

/** The functions that the workflow calls. Each call is identified and counted elsewhere. */
export interface OrderFunctions {
  readonly call: (key: string, n: number, signal: AbortSignal) => Promise<number>;
}

/** Calls, branches, retries, event waits, timers, a loop and a subflow: everything that a crash can interrupt. */
export const order = defineWorkflow<OrderFunctions, number>({
  id: "order",
  version: "1",
  name: "order",
  anyInput: true,
  events: { paid: { type: "paid", correlation: (event) => event["order"] } },
  correlation: (_, { id }) => id,
  waits: { Paid: { alternatives: [{ all: [["paid"]], within: 60 }] } },
  async run(flow, { call }, input) {
    const reserved = await flow.step("Reserve", ({ key, signal }) => call(key, input, signal));
    const both = await flow.fork("Both", {
      pack: async (inner) => {
        await inner.sleep("Dry", 0.01);
        return inner.step("Pack", ({ key, signal }) => call(key, reserved, signal));
      },
      bill: (inner) =>
        inner.step("Bill", ({ key, attempt, signal }) => call(`${key}!attempt-${attempt}`, reserved, signal), {
          retries: [{ limit: 3, base: 0.005 }],
        }),
    });
    const received = await flow.receive("Paid");
    let data = { left: 3, sum: (both["pack"] ?? 0) + (both["bill"] ?? 0) };
    for (;;) {
      data = await flow.round("Parts", data);
      if (data.left === 0) break;
      const { left, sum } = data;
      data = { left: left - 1, sum: sum + (await flow.step("Part", ({ key, signal }) => call(key, left, signal))) };
    }
    const shipped = await flow.invoke("Ship", ship as unknown as AnyWorkflow, data.sum);
    return { order: input, paid: received.events.length, shipped };
  },
});

const ship = defineWorkflow<OrderFunctions, number>({
  id: "ship",
  version: "1",
  name: "ship",
  anyInput: true,
  async run(flow, { call }, sum) {
    const weights = await flow.forEach("Weigh", [1, 2], (inner, item) =>
      inner.step("Weigh", ({ key, signal }) => call(key, item, signal)),
    );
    await flow.sleep("Rest", 0.01);
    return flow.step("Send", ({ key, signal }) => call(key, sum + weights.reduce((a, b) => a + b, 0), signal), {
      timeout: 600,
    });
  },
});

export const workflows = [order, ship] as unknown as readonly AnyWorkflow[];

/** The output of an order. Each call returns its argument plus one. */
export function expectedOutput(n: number): { readonly order: number; readonly paid: number; readonly shipped: number } {
  const both = 2 * (n + 2);
  const parts = 4 + 3 + 2;
  const weights = 2 + 3;
  return { order: n, paid: 1, shipped: both + parts + weights + 1 };
}
