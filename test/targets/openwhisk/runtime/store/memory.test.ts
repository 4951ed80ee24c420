import { describe } from "vitest";
import { createMemoryStore } from "../../../../../targets/openwhisk/runtime/store/memory.ts";
import { lawsOfStore } from "./laws.ts";

describe("a store in memory", () => {
  let now = 0;
  const store = createMemoryStore(() => now);
  lawsOfStore(
    () => store,
    async (ms) => {
      now += ms;
    },
  );
});
