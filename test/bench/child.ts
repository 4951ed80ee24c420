// A child process that parses with `yaml` or compiles a generated definition, and prints its peak memory in bytes.

import { definitionOf } from "./states.ts";
import { compileText, parseText } from "./tasks.ts";

const [what, count] = process.argv.slice(2);
const text = definitionOf(Number(count));
await (what === "yaml" ? parseText(text) : compileText(text));
process.stdout.write(`${process.resourceUsage().maxRSS * 1024}`);
