// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, compareInCondition, everything, memberOf as named } from "./runtime/index.ts";

function lowRiskTransition_(input, $data_1) {
  const r2 = [];
  for (const v3 of everything($data_1)) {
    const v4 = named(v3, "user");
    if (v4 !== undefined) {
      const v5 = named(v4, "title");
      if (v5 !== undefined) r2.push(v5);
    }
  }
  const r6 = [];
  r6.push("MANAGER");
  return compareInCondition(r2, "==", r6);
}

export const lowRiskTransition = (v1: Json): Json => lowRiskTransition_(null, v1);
