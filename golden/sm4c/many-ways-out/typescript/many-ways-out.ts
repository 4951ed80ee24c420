// many-ways-out 1.0, from sm4c. Change the definition, not this file.
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
  leave(argument: { readonly to: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly to?: Json; readonly [member: string]: Json | undefined };

/** many-ways-out */
export const manyWaysOut = defineWorkflow({
  id: "many-ways-out",
  version: "160400d5bd13cdbe",
  name: "many-ways-out",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    let leaving!: number;
    // Hub (state)
    if ((data.to ?? null) === 1) {
      leaving = 0;
    } else if ((data.to ?? null) === 2) {
      leaving = 1;
    } else if ((data.to ?? null) === 3) {
      leaving = 2;
    } else if ((data.to ?? null) === 4) {
      leaving = 3;
    } else if ((data.to ?? null) === 5) {
      leaving = 4;
    } else {
      leaving = 5;
    }
    await flow.step("Hub/leave", (step) => fn.leave({ to: data.to ?? null }, step));
    if (leaving === 0) {
      // One (state)
      return data;
    }
    if (leaving === 1) {
      // Two (state)
      return data;
    }
    if (leaving === 2) {
      // Three (state)
    } else {
      if (leaving === 3) {
        // Four (state)
        return data;
      }
      if (leaving === 4) {
        // Five (state)
        return data;
      }
    }
    // Six (state)
    data = withMember(data, "six", true);
    return data;
  },
});
