import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import type { Flow } from "../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../targets/typescript/runtime/json.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";

/** A workflow body, called with the input and the run's id. */
type WorkflowBody = (flow: Flow, input: Json, id: string) => Promise<Json>;

/** Creates a workflow from a body. */
export const workflowOf = (run: WorkflowBody, more: Partial<AnyWorkflow> = {}): AnyWorkflow => {
  const body = (flow: Flow, _: never, input: Json) => run(flow, input, flow.run.id);
  return { id: "W", version: "1", name: "W", anyInput: true, ...more, run: body } as unknown as AnyWorkflow;
};

/** Correlates events with the run's id. */
export const correlated = {
  events: { go: { type: "go", correlation: (cloudEvent: CloudEvent) => cloudEvent["who"] } },
  correlation: (_: never, { id }: { readonly id: string }) => id,
} as Partial<AnyWorkflow>;

/** An event of type `go`. */
export const event = (id: string, more: { readonly [name: string]: Json } = {}): CloudEvent => ({
  specversion: "1.0",
  id,
  source: "test",
  type: "go",
  ...more,
});

/** A workflow whose step fails until `fix` is called; with the input `wait` it sleeps first. */
export function breakingWorkflow(): { readonly workflow: AnyWorkflow; fix(): void } {
  let isBroken = true;
  const workflow = workflowOf(async (flow, input) => {
    if (input === "wait") await flow.sleep("Nap", 3600);
    return flow.step("Break", () => {
      if (isBroken) throw new Error("broken");
      return "fixed";
    });
  });
  return {
    workflow,
    fix() {
      isBroken = false;
    },
  };
}

/** Waits in real time. */
export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits until a condition holds, for 20 seconds at most. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("The condition never held.");
    await sleep(5);
  }
}

/** A pseudorandom generator of numbers in [0, 1). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}
