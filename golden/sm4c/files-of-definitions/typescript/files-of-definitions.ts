// files-of-definitions 1.0, from sm4c. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  defineWorkflow,
  withMember,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  pack(argument: { readonly id: Json; readonly boxes: Json }, step: Step): Answer<Json>;
  send(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly id?: Json;
  readonly packed?: Json;
  readonly [member: string]: Json | undefined;
};

/** files-of-definitions */
export const filesOfDefinitions = defineWorkflow({
  id: "files-of-definitions",
  version: "ef296d2148263605",
  name: "files-of-definitions",
  events: { shipped: { type: "shop.shipped", foldCase: true } },
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Pack (state)
    const pack = await flow.step(
      "Pack",
      (step) => fn.pack({ id: data.id ?? null, boxes: 2 }, step),
      { retries: [{ limit: 1, base: 1 }] },
    );
    data = withMember(data, "packed", pack);
    // Send (state)
    await flow.step("Send", (step) => fn.send({ id: data.id ?? null }, step));
    await flow.emit("Send/shipped", "shipped", data.packed ?? null, {
      attributes: { subject: "shipped" },
    });
    return data;
  },
});
