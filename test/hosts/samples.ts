import type { CloudEvent } from "../../targets/typescript/runtime/events.ts";
import type { Flow } from "../../targets/typescript/runtime/flow.ts";
import type { Json } from "../../targets/typescript/runtime/json.ts";
import type { AnyWorkflow } from "../../targets/typescript/runtime/workflow.ts";

/** What a workflow does, with its input and the id of the run. */
type Body = (flow: Flow, input: Json, id: string) => Promise<Json>;

/** A workflow that needs no more than a body. */
export const workflowOf = (run: Body, more: Partial<AnyWorkflow> = {}): AnyWorkflow => {
  const body = (flow: Flow, _: never, input: Json) => run(flow, input, flow.run.id);
  return { id: "W", version: "1", name: "W", anyInput: true, ...more, run: body } as unknown as AnyWorkflow;
};

/** Runs have their ids as correlation values. */
export const correlated = {
  events: { go: { type: "go", correlation: (given: CloudEvent) => given["who"] } },
  correlation: (_: never, { id }: { readonly id: string }) => id,
} as Partial<AnyWorkflow>;

/** An event of the type that they wait for. */
export const event = (id: string, more: { readonly [name: string]: Json } = {}): CloudEvent => ({
  specversion: "1.0",
  id,
  source: "test",
  type: "go",
  ...more,
});

/** A workflow whose step fails until it is mended; with the input `wait` it sleeps before. */
export function breaking(): { readonly workflow: AnyWorkflow; mend(): void } {
  let isBroken = true;
  const workflow = workflowOf(async (flow, input) => {
    if (input === "wait") await flow.sleep("Nap", 3600);
    return flow.step("Break", () => {
      if (isBroken) throw new Error("broken");
      return "mended";
    });
  });
  return {
    workflow,
    mend() {
      isBroken = false;
    },
  };
}

export const rest = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Waits for something to hold, for a time. */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + 20_000;
  while (!holds()) {
    if (performance.now() > end) throw new Error("It has not come to that.");
    await rest(5);
  }
}
