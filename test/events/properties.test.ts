import fc from "fast-check";
import { test } from "vitest";
import { BrokerAndModel } from "./broker-and-model.ts";
import { runs, seeds } from "./operations.ts";
import { commands, program } from "./random.ts";

test.each(seeds)("the broker decides as the model does, from seed %i", { timeout: 3_600_000 }, (seed) => {
  const property = fc.property(program, commands, (each, sequence) => {
    const both = new BrokerAndModel(each);
    for (const command of sequence) both.perform(command);
  });
  fc.assert(property, { seed, numRuns: runs(300) });
});
