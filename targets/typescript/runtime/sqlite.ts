import type { Engine, EngineOptions } from "./engine.ts";
import { engineOn } from "./sqlite/engine.ts";

export { StoreError, type StoreFault } from "./sqlite/file.ts";

/**
 * Opens an engine whose store is a file of SQLite: the runs in it that have not ended go on. It is held until the engine is closed or the process ends,
 * however that ends. Throws a `StoreError` when another process holds it, when the file is not a store, and when it is damaged or of a newer version;
 * nothing in it is changed then. `workflows` names subflows too.
 */
export const openEngine = (options: EngineOptions): Engine => engineOn(options);
