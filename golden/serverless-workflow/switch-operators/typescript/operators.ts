// Every operator, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  defineWorkflow,
  merge,
  present,
  switchCondition,
} from "./runtime/index.ts";

/** The data of the workflow, as far as it is looked at. */
export type Data = { readonly x?: Json; readonly [member: string]: Json | undefined };

/** Every operator */
export const operators = defineWorkflow({
  id: "operators",
  version: "dd21dd924496c51d",
  name: "Every operator",
  run: async (flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Ask exists (switch state)
    if (data?.x !== undefined) {
      // Note exists (inject state)
      data = merge(data, { exists: true });
    }
    // Ask notexists (switch state)
    if (data?.x === undefined) {
      // Note notexists (inject state)
      data = merge(data, { notexists: true });
    }
    // Ask null (switch state)
    if (data?.x === null) {
      // Note null (inject state)
      data = merge(data, { null: true });
    }
    // Ask notnull (switch state)
    if (switchCondition(present(data?.x), "notnull", null)) {
      // Note notnull (inject state)
      data = merge(data, { notnull: true });
    }
    // Ask equals (switch state)
    if (switchCondition(present(data?.x), "equals", "7")) {
      // Note equals (inject state)
      data = merge(data, { equals: true });
    }
    // Ask notequals (switch state)
    if (switchCondition(present(data?.x), "notequals", "7")) {
      // Note notequals (inject state)
      data = merge(data, { notequals: true });
    }
    // Ask lessthan (switch state)
    if (switchCondition(present(data?.x), "lessthan", "7")) {
      // Note lessthan (inject state)
      data = merge(data, { lessthan: true });
    }
    // Ask lessthanorequals (switch state)
    if (switchCondition(present(data?.x), "lessthanorequals", "7")) {
      // Note lessthanorequals (inject state)
      data = merge(data, { lessthanorequals: true });
    }
    // Ask greaterthan (switch state)
    if (switchCondition(present(data?.x), "greaterthan", "7")) {
      // Note greaterthan (inject state)
      data = merge(data, { greaterthan: true });
    }
    // Ask greaterthanorequals (switch state)
    if (switchCondition(present(data?.x), "greaterthanorequals", "7")) {
      // Note greaterthanorequals (inject state)
      data = merge(data, { greaterthanorequals: true });
    }
    // Ask matches (switch state)
    if (switchCondition(present(data?.x), "matches", "^[a-c]+$")) {
      // Note matches (inject state)
      data = merge(data, { matches: true });
    }
    // Ask notmatches (switch state)
    if (switchCondition(present(data?.x), "notmatches", "^[a-c]+$")) {
      // Note notmatches (inject state)
      data = merge(data, { notmatches: true });
    }
    // Done (inject state)
    return data;
  },
});
