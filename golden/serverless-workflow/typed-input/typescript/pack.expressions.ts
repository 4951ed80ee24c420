// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import { type Json, itemsOf as iteratedIf, memberOf as named } from "./runtime/index.ts";

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
      const v8 = named(v7, "sku");
      if (v8 !== undefined) r5.push(v8);
    }
  }
  let v9;
  l10: {
    {
      const v11 = named($data_1, "number");
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
