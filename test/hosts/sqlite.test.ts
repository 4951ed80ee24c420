import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine, EngineOptions } from "../../targets/typescript/runtime/engine.ts";
import { engineOn } from "../../targets/typescript/runtime/sqlite/engine.ts";
import { crashAfter, type HostUnderTest } from "./host.ts";
import { testInvariants, testScenarios } from "./suite.ts";

const sqlite: HostUnderTest = {
  name: "sqlite",
  minSpacingMs: 40,
  newStore: async () => join(mkdtempSync(join(tmpdir(), "waybill-store-")), "runs.db"),
  open: async (load, options) => (load("runtime.js")["openEngine"] as (options: EngineOptions) => Engine)(options),
  openWithCrash: (_load, options, commits) =>
    crashAfter(commits, async ({ committed }) => engineOn(options, { committed })),
};

testInvariants(sqlite);
testScenarios(sqlite, "./skipped-sqlite.txt");
