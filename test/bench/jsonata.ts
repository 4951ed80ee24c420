// Random jq programs as JSONata against the core's evaluator, and one in ten against jq itself: prints what agrees, what is refused by construct, and how much of
// the examples' jq is covered. Run by `node test/bench/jsonata.ts [count]`, 20,000 programs unless told.

import fc from "fast-check";
import { agreesWithJq, isFailure, isLimit, judge, printed, readProgram } from "../asl/jsonata/programs.ts";
import { loadOracle, type Oracle } from "../expressions/jq/oracle.ts";
import { input, program, wideProgram } from "../expressions/random-jq.ts";
import { realPrograms } from "../expressions/real-programs.ts";

const count = Number(process.argv[2] ?? 20_000);
const oracle = await loadOracle();

const results = [
  await measure("usual", program, Math.round(count * 0.6), oracle),
  await measure("wide", wideProgram, Math.round(count * 0.4), oracle),
];
process.stdout.write(`${JSON.stringify({ results, examples: coverage() }, null, 2)}\n`);
process.exitCode = results.some(({ wrong, wrongForJq }) => wrong.length + wrongForJq.length > 0) ? 1 : 0;

async function measure(name: string, programs: fc.Arbitrary<string>, size: number, jq: Oracle) {
  const counts = { programs: size, sameValue: 0, sameFailure: 0, askedOfJq: 0, limited: 0, refused: 0, unread: 0 };
  const why = new Map<string, number>();
  const [wrong, wrongForJq]: [string[], string[]] = [[], []];
  for (const [i, [text, value]] of fc.sample(fc.tuple(programs, input), { seed: 2106, numRuns: size }).entries()) {
    const verdict = await judge(text, value, i % 2 === 0);
    const shown = `${text} for ${JSON.stringify(value)}`;
    if (verdict.kind !== "run") {
      counts[verdict.kind] += 1;
      note(why, verdict.kind === "refused" ? verdict.construct : verdict.why);
    } else if (isLimit(verdict.jsonata)) {
      counts.limited += 1;
      note(why, verdict.jsonata);
    } else if (verdict.jsonata !== verdict.core) wrong.push(shown);
    else {
      counts[isFailure(verdict.core) ? "sameFailure" : "sameValue"] += 1;
      if (i % 10 !== 0) continue;
      counts.askedOfJq += 1;
      if ((await agreesWithJq(jq, text, value, verdict.jsonata)) === false) wrongForJq.push(shown);
    }
  }
  return { name, ...counts, why: Object.fromEntries(why), wrong, wrongForJq };
}

function note(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function coverage() {
  const programs = realPrograms();
  const refused = programs.flatMap((text) => {
    const { expression, why } = readProgram(text);
    const result = expression ? printed(expression) : why!;
    return expression && typeof result === "string" ? [] : [`${text}: ${typeof result === "string" ? result : result.construct}`];
  });
  return { programs: programs.length, covered: programs.length - refused.length, refused };
}
