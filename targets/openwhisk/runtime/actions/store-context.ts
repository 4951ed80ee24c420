import type { Json } from "../../../../src/json.ts";
import { createDocuments } from "../store/documents.ts";
import { openStore } from "../store/open.ts";
import type { StoreAddress } from "../store/store.ts";
import type { HelperContext, RunIn } from "./action.ts";
import type { AbandonBranches } from "./threads.ts";

/** Runs an operation with the documents of the program's store, which is closed afterwards. */
export const withStore =
  (abandon?: AbandonBranches): RunIn<HelperContext> =>
  async (context, $store, run) => {
    const store = openStore(addressIn($store));
    try {
      return await run({ ...context, documents: createDocuments(store, context), abandon });
    } finally {
      await store.close();
    }
  };

const addressIn = (value: Json | undefined): StoreAddress | undefined =>
  typeof value === "string" ? { url: value } : (value as unknown as StoreAddress | undefined);
