// A child process that parses or compiles generated definitions, and prints its peak memory in bytes and its processor
// time in seconds: `child.ts yaml STATES`, `child.ts asl STATES`, `child.ts asl STATES DEFINITIONS`.

import { definitionOf } from "./states.ts";
import { compileTexts, parseText, targets } from "./tasks.ts";

const [what, states, definitions = "1"] = process.argv.slice(2);
const text = definitionOf(Number(states));
const texts = Array.from({ length: Number(definitions) }, (_, i) => text.replace("id: many", `id: many-${i}`));
const before = process.cpuUsage();
const target = targets.find((name) => name === what);
await (target ? compileTexts(texts, target) : parseText(text));
const { user, system } = process.cpuUsage(before);
const bytes = process.resourceUsage().maxRSS * 1024;
process.stdout.write(JSON.stringify({ bytes, seconds: (user + system) / 1e6 }));
