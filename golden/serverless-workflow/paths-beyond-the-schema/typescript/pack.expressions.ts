// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, everything, itemsOf as iteratedIf, memberOf as named, elementOf as numbered } from "./runtime/index.ts";

function greetGreetValue_(input, $data_1) {
  let v2;
  l3: {
    {
      const v4 = named(named($data_1, "customer"), "nmae");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = null;
    break l3;
  }
  let v5;
  l6: {
    {
      const v7 = numbered(named(named($data_1, "customer"), "name"), 0);
      if (v7 !== undefined) {
        v5 = v7;
        break l6;
      }
    }
    v5 = null;
    break l6;
  }
  const r8 = [];
  for (const v9 of everything($data_1)) {
    const v10 = named(v9, "skew");
    if (v10 !== undefined) r8.push(v10);
  }
  let v11;
  l12: {
    {
      const v13 = named(named(named(named($data_1, "customer"), "name"), "first"), "letter");
      if (v13 !== undefined) {
        v11 = v13;
        break l12;
      }
    }
    v11 = null;
    break l12;
  }
  return { name: v2, first: v5, deep: r8, none: v11 };
}

export const greetGreetValue = (v1: Json): Json => greetGreetValue_(null, v1);

function packItem_(input, $data_1) {
  let v2;
  l3: {
    {
      const v4 = named(named($data_1, "item"), "sku");
      if (v4 !== undefined) {
        v2 = v4;
        break l3;
      }
    }
    v2 = null;
    break l3;
  }
  const r5 = [];
  const v6 = named(named($data_1, "item"), "parts");
  if (v6 !== undefined) {
    for (const v7 of iteratedIf(v6)) {
      const v8 = named(named(v7, "sku"), "code");
      if (v8 !== undefined) r5.push(v8);
    }
  }
  let v9;
  l10: {
    {
      const v11 = named($data_1, "nubmer");
      if (v11 !== undefined) {
        v9 = v11;
        break l10;
      }
    }
    v9 = null;
    break l10;
  }
  return { sku: v2, parts: r5, order: v9 };
}

export const packItem = (v1: Json): Json => packItem_(null, v1);
