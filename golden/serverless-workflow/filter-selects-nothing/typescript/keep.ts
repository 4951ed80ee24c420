// Keep what is not filtered 1.0, from serverless-workflow. Change the definition, not this file.
import { type Flow, type Json, assign, defineWorkflow, isTrue, itemsOf } from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly order?: Json;
  readonly lines?: Json;
  readonly [member: string]: Json | undefined;
};

/** Keep what is not filtered */
export const keep = defineWorkflow({
  id: "keep",
  version: "61e5fab16d1e25e2",
  name: "Keep what is not filtered",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Keep (inject state)
    data = (data.order === undefined ? data : data.order) as Data;
    data = assign(data, { extra: 1 });
    data = (
      itemsOf(data.lines).filter((item) => isTrue(item?.open ?? null)).length > 0
        ? itemsOf(data.lines).filter((item) => isTrue(item?.open ?? null))
        : data
    ) as Data;
    return data;
  },
});
