// @ts-nocheck: compiled from expressions that no TypeScript reads well for.
import {
  type Json,
  attributeKey,
  isFalse,
  mergeResult as mergeResultJson,
  memberOf as named,
  elementOf as numbered,
  place as placeJson,
  text,
} from "./runtime/index.ts";

const monitorEvent2__1_ = ["patientId"];

function monitorEvent2_(input, $data_1, $received_2) {
  const outputs = [];
  let v3;
  l4: {
    {
      const v5 = numbered(named($received_2, "events"), 0);
      if (v5 !== undefined) {
        const v6 = named(v5, "event");
        if (v6 !== undefined) {
          const v7 = named(v6, "data");
          if (v7 !== undefined) {
            v3 = v7;
            break l4;
          }
        }
      }
    }
    v3 = null;
    break l4;
  }
  const $merged_8 = mergeResultJson($data_1, v3, "HighPressure");
  let b9 = false;
  l10: {
    const v11 = named($merged_8, "patientId");
    if (v11 !== undefined) {
      b9 = true;
      break l10;
    }
  }
  let v12;
  if (b9) {
    v12 = true;
  } else {
    let b13 = false;
    l14: {
      const v15 = numbered(named($received_2, "events"), 0);
      if (v15 !== undefined) {
        const v16 = named(v15, "event");
        if (v16 !== undefined) {
          const k17 = attributeKey(v16, text("patientId"));
          if (k17 !== undefined) {
            v16[k17];
            b13 = true;
            break l14;
          }
        }
      }
    }
    v12 = isFalse(b13);
  }
  if (v12) {
    outputs.push($merged_8);
  } else {
    const v18 = numbered(named($received_2, "events"), 0);
    if (v18 !== undefined) {
      const v19 = named(v18, "event");
      if (v19 !== undefined) {
        const k20 = attributeKey(v19, text("patientId"));
        if (k20 !== undefined) outputs.push(placeJson($merged_8, monitorEvent2__1_, v19[k20]));
      }
    }
  }
  return outputs;
}

export const monitorEvent2 = (v1: Json, v2: Json): Json => monitorEvent2_(null, v1, v2)[0];
const monitorEvent__1_ = ["patientId"];

function monitorEvent_(input, $data_1, $received_2) {
  const outputs = [];
  let v3;
  l4: {
    {
      const v5 = numbered(named($received_2, "events"), 0);
      if (v5 !== undefined) {
        const v6 = named(v5, "event");
        if (v6 !== undefined) {
          const v7 = named(v6, "data");
          if (v7 !== undefined) {
            v3 = v7;
            break l4;
          }
        }
      }
    }
    v3 = null;
    break l4;
  }
  const $merged_8 = mergeResultJson($data_1, v3, "HighTemperature");
  let b9 = false;
  l10: {
    const v11 = named($merged_8, "patientId");
    if (v11 !== undefined) {
      b9 = true;
      break l10;
    }
  }
  let v12;
  if (b9) {
    v12 = true;
  } else {
    let b13 = false;
    l14: {
      const v15 = numbered(named($received_2, "events"), 0);
      if (v15 !== undefined) {
        const v16 = named(v15, "event");
        if (v16 !== undefined) {
          const k17 = attributeKey(v16, text("patientId"));
          if (k17 !== undefined) {
            v16[k17];
            b13 = true;
            break l14;
          }
        }
      }
    }
    v12 = isFalse(b13);
  }
  if (v12) {
    outputs.push($merged_8);
  } else {
    const v18 = numbered(named($received_2, "events"), 0);
    if (v18 !== undefined) {
      const v19 = named(v18, "event");
      if (v19 !== undefined) {
        const k20 = attributeKey(v19, text("patientId"));
        if (k20 !== undefined) outputs.push(placeJson($merged_8, monitorEvent__1_, v19[k20]));
      }
    }
  }
  return outputs;
}

export const monitorEvent = (v1: Json, v2: Json): Json => monitorEvent_(null, v1, v2)[0];
