import { createCouchStore } from "./couchdb.ts";
import { createRedisStore } from "./redis.ts";
import type { Store, StoreAddress } from "./store.ts";
import { StoreFailure } from "./store.ts";

/** The store at an address. Without one, or with one of another kind, each operation fails and says so. */
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
      return missingStore(
        address === undefined
          ? "The package has no parameter $store, which names the store of the runs that wait."
          : "The parameter $store of the package has no url that begins with redis:, rediss:, http: or https:.",
      );
  }
}

function missingStore(message: string): Store {
  const fail = async () => {
    throw new StoreFailure(message);
  };
  return { get: fail, put: fail, remove: fail, keys: fail, close: async () => undefined };
}
