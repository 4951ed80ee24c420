import { createCouchStore } from "./couchdb.ts";
import { createRedisStore } from "./redis.ts";
import type { Store, StoreAddress } from "./store.ts";
import { StoreFailure } from "./store.ts";

/** Opens the store at an address. Without a valid address, every operation fails. */
export function openStore(address: StoreAddress | undefined): Store {
  const scheme = /^([a-z]+):\/\//.exec(address?.url ?? "")?.[1];
  switch (scheme) {
    case "redis":
    case "rediss":
      return createRedisStore(address!);
    case "http":
    case "https":
      return createCouchStore(address!);
    default:
      return failingStore(
        address === undefined
          ? "The action has no parameter $store. Set WAYBILL_STORE and deploy again."
          : "The parameter $store is not a URL that begins with redis:, rediss:, http: or https:.",
      );
  }
}

function failingStore(message: string): Store {
  const fail = async () => {
    throw new StoreFailure(message);
  };
  return { get: fail, put: fail, remove: fail, keys: fail, close: async () => undefined };
}
