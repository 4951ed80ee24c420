// One process of the benchmark: `yaml` alone or Waybill on a generated definition; prints its peak memory in bytes and the milliseconds.

import { parseDocument } from "yaml";
import { compile } from "../../dist/index.js";
import { timed } from "./measure.ts";
import { definitionOf } from "./states.ts";

const [what, count] = process.argv.slice(2);
const text = definitionOf(Number(count));
const acts = {
  yaml: () => parseDocument(text, { prettyErrors: false }).toJS(),
  waybill: async () => {
    const { files } = await compile({ sources: [{ path: "many.yaml", text }], target: "asl" });
    if (files.length === 0) throw new Error("The generated definition does not compile.");
  },
};
const ms = await timed(acts[what as keyof typeof acts]);
process.stdout.write(JSON.stringify({ ms, peak: process.resourceUsage().maxRSS * 1024 }));
