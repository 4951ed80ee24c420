// @ts-nocheck: JavaScript compiled from expressions has no types inside; what is exported has them.
import { type Json, allElements as elements, endSteps, limited, get as member, memberOf as named, raise, typeOf } from "./runtime/index.ts";

const shipValue__id = (x) => typeof x === "object" && x !== null && x.id !== undefined ? x.id : member(x, "id");
const shipValue__sku = (x) => typeof x === "object" && x !== null && x.sku !== undefined ? x.sku : member(x, "sku");
const shipValue__quantity = (x) => typeof x === "object" && x !== null && x.quantity !== undefined
  ? x.quantity
  : member(x, "quantity");
const shipValue__warehouse = (x) => typeof x === "object" && x !== null && x.warehouse !== undefined
  ? x.warehouse
  : member(x, "warehouse");
const shipValue__5_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step ship is not an array of objects.",
};
const shipValue__6_ = {
  name: "STEP_INVALID_ARGUMENT",
  message: "The input of foreach step ship is not an array of objects.",
};

function shipValue_(input, $state_1) {
  let steps = 0;
  try {
    const r2 = [];
    let v3;
    l4: {
      {
        const v5 = named($state_1, "lines");
        if (v5 !== undefined) {
          v3 = v5;
          break l4;
        }
      }
      v3 = null;
      break l4;
    }
    for (const v6 of elements(v3)) {
      if ((steps += 1) > 5_000_000) endSteps();
      r2.push({
        id: shipValue__id($state_1),
        sku: shipValue__sku(v6),
        quantity: shipValue__quantity(v6),
        warehouse: shipValue__warehouse($state_1),
      });
    }
    if (typeOf(r2) === "array") {
      const r7 = [];
      for (const v8 of elements(r2)) {
        if ((steps += 1) > 5_000_000) endSteps();
        r7.push(typeOf(v8) === "object" ? v8 : raise(shipValue__6_));
      }
      return r7;
    } else {
      return raise(shipValue__5_);
    }
  } catch (error) {
    throw limited(error);
  }
}

export const shipValue = (v1: Json): Json => shipValue_(null, v1);
