// Enrich a record 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Answer,
  type Flow,
  type Json,
  type Step,
  assignResult,
  defineWorkflow,
} from "./runtime.js";

/** The functions that the workflow calls. */
export interface Functions {
  geo(argument: { readonly ip: Json }, step: Step): Answer<Json>;
  credit(argument: { readonly id: Json }, step: Step): Answer<Json>;
}

/** The members of the workflow data that the workflow uses. */
export type Data = {
  readonly ip?: Json;
  readonly id?: Json;
  readonly [member: string]: Json | undefined;
};

/** Enrich a record */
export const enrich = defineWorkflow({
  id: "enrich",
  version: "80ea7a44f6a099fa",
  name: "Enrich a record",
  run: async (flow: Flow, fn: Functions, data: Data): Promise<Json> => {
    // Enrich (operation state)
    const enrichResults = await flow.fork("Enrich", {
      geo: (flow) => enrichGeo(flow, fn, data),
      credit: (flow) => enrichCredit(flow, fn, data),
    });
    data = assignResult(data, enrichResults.geo, "geo");
    data = assignResult(data, enrichResults.credit, "credit");
    return data;
  },
});

/** Enrich / geo */
async function enrichGeo(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const geo = await flow.step("Enrich/geo", (step) => fn.geo({ ip: data.ip ?? null }, step));
  return geo;
}

/** Enrich / credit */
async function enrichCredit(flow: Flow, fn: Functions, data: Data): Promise<Json> {
  const credit = await flow.step("Enrich/credit", (step) =>
    fn.credit({ id: data.id ?? null }, step),
  );
  return credit;
}
