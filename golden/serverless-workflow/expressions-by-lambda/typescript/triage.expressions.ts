// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, isFalse, itemsOf as iteratedIf, matchesNode, memberOf as named, switchCondition } from "./runtime/index.ts";

function sortValue_(input, $data_1) {
  const r2 = [];
  const v3 = named($data_1, "tickets");
  if (v3 !== undefined) {
    for (const v4 of iteratedIf(v3)) {
      let b5 = false;
      l6: {
        let v7;
        const v9 = named(v4, "text");
        if (v9 !== undefined) v7 = v9;
        let v10;
        const v12 = named($data_1, "rule");
        if (v12 !== undefined) v10 = v12;
        b5 = matchesNode(v7, v10, false) === true;
        break l6;
      }
      if (b5) r2.push(v4);
    }
  }
  return switchCondition(r2, "exists", null);
}

export const sortValue = (v1: Json): Json => sortValue_(null, v1);

function assignValue_(input, $data_1) {
  const r2 = [];
  const v3 = named($data_1, "tickets");
  if (v3 !== undefined) {
    for (const v4 of iteratedIf(v3)) {
      let b5 = false;
      l6: {
        let v7;
        const v9 = named(v4, "owner");
        if (v9 !== undefined) v7 = v9;
        let v10;
        const v12 = named($data_1, "staff");
        if (v12 !== undefined) v10 = v12;
        b5 = isFalse(matchesNode(v7, v10, true)) === true;
        break l6;
      }
      if (b5) r2.push(v4);
    }
  }
  return r2;
}

export const assignValue = (v1: Json): Json => assignValue_(null, v1);

function notifyNotify_(input, $data_1) {
  const r2 = [];
  const v3 = named($data_1, "tickets");
  if (v3 !== undefined) {
    for (const v4 of iteratedIf(v3)) {
      let b6 = false;
      l7: {
        let v8;
        const v10 = named(v4, "text");
        if (v10 !== undefined) v8 = v10;
        let v11;
        const v13 = named($data_1, "rule");
        if (v13 !== undefined) v11 = v13;
        b6 = matchesNode(v8, v11, false) === true;
        break l7;
      }
      if (b6) {
        const v5 = named(v4, "id");
        if (v5 !== undefined) r2.push(v5);
      }
    }
  }
  let v14;
  l15: {
    {
      const v16 = named($data_1, "rule");
      if (v16 !== undefined) {
        v14 = v16;
        break l15;
      }
    }
    v14 = null;
    break l15;
  }
  return { about: r2, rule: v14 };
}

export const notifyNotify = (v1: Json): Json => notifyNotify_(null, v1);
