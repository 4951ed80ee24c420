import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";
import { engineOn } from "../../targets/typescript/runtime/sqlite/engine.ts";
import type { HostUnderTest } from "./host.ts";

/** The host that keeps runs in a file of SQLite. */
export const sqlite: HostUnderTest = {
  name: "sqlite",
  apart: 40,
  newStore: async () => join(mkdtempSync(join(tmpdir(), "waybill-store-")), "runs.db"),
  open: async (load, options) => (load("runtime.js")["openEngine"] as (options: EngineOptions) => Engine)(options),
  async openMortal(_load, options, commits) {
    const { promise: died, resolve } = Promise.withResolvers<void>();
    let left = commits;
    const committed = () => {
      left -= 1;
      if (left === 0) resolve();
      return left <= 0;
    };
    return { engine: engineOn(options, { committed }), died };
  },
};
