// Every operator 1.0, from serverless-workflow. Change the definition, not this file.
import {
  type Flow,
  type Json,
  assign,
  defineWorkflow,
  equals,
  isAbove,
  isAtLeast,
  isAtMost,
  isBelow,
  matches,
  notEquals,
  notMatches,
} from "./runtime.js";

/** The members of the workflow data that the workflow uses. */
export type Data = { readonly x?: Json; readonly [member: string]: Json | undefined };

/** Every operator */
export const operators = defineWorkflow({
  id: "operators",
  version: "254936568d89e0bd",
  name: "Every operator",
  run: async (_flow: Flow, _fn: object, data: Data): Promise<Json> => {
    // Ask exists (switch state)
    if (data.x !== undefined) {
      // Note exists (inject state)
      data = assign(data, { exists: true });
    }
    // Ask notexists (switch state)
    if (data.x === undefined) {
      // Note notexists (inject state)
      data = assign(data, { notexists: true });
    }
    // Ask null (switch state)
    if (data.x === null) {
      // Note null (inject state)
      data = assign(data, { null: true });
    }
    // Ask notnull (switch state)
    if ((data.x ?? null) !== null) {
      // Note notnull (inject state)
      data = assign(data, { notnull: true });
    }
    // Ask equals (switch state)
    if (equals(data.x, "7")) {
      // Note equals (inject state)
      data = assign(data, { equals: true });
    }
    // Ask notequals (switch state)
    if (notEquals(data.x, "7")) {
      // Note notequals (inject state)
      data = assign(data, { notequals: true });
    }
    // Ask lessthan (switch state)
    if (isBelow(data.x, "7")) {
      // Note lessthan (inject state)
      data = assign(data, { lessthan: true });
    }
    // Ask lessthanorequals (switch state)
    if (isAtMost(data.x, "7")) {
      // Note lessthanorequals (inject state)
      data = assign(data, { lessthanorequals: true });
    }
    // Ask greaterthan (switch state)
    if (isAbove(data.x, "7")) {
      // Note greaterthan (inject state)
      data = assign(data, { greaterthan: true });
    }
    // Ask greaterthanorequals (switch state)
    if (isAtLeast(data.x, "7")) {
      // Note greaterthanorequals (inject state)
      data = assign(data, { greaterthanorequals: true });
    }
    // Ask matches (switch state)
    if (matches(data.x, "^[a-c]+$")) {
      // Note matches (inject state)
      data = assign(data, { matches: true });
    }
    // Ask notmatches (switch state)
    if (notMatches(data.x, "^[a-c]+$")) {
      // Note notmatches (inject state)
      data = assign(data, { notmatches: true });
    }
    // Done (inject state)
    return data;
  },
});
