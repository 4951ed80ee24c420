import { type Jq, loadJq } from "jq-wasm";
import { fromJson } from "../../../../src/expressions/library/json-reader.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import type { Outcome } from "../../../expressions/javascript/running.ts";

/** jq 1.8.2, asked for what a program gives for several inputs. */
export interface JqAsker {
  /** One answer for each input, undefined where jq breaks down; or why jq does not compile the program. */
  ask(
    program: string,
    inputs: readonly string[],
  ): Promise<readonly (Outcome | undefined)[] | { readonly uncompiled: string }>;
}

/** Loads jq. An instance that has broken down is replaced. */
export async function loadAsker(): Promise<JqAsker> {
  let jq = await loadJq();
  const ask: JqAsker["ask"] = async (program, inputs) => {
    try {
      const answer = answersOf(jq, program, inputs);
      if (!Array.isArray(answer) || answer.length === inputs.length) return answer;
    } catch {
      jq = await loadJq();
    }
    if (inputs.length === 1) return [undefined];
    const single: (Outcome | undefined)[] = [];
    for (const input of inputs) single.push(((await ask(program, [input])) as readonly (Outcome | undefined)[])[0]);
    return single;
  };
  return { ask };
}

/** The program's outputs are written as an array, what it fails with in an object: one line for each input. */
function answersOf(
  jq: Jq,
  program: string,
  inputs: readonly string[],
): readonly Outcome[] | { readonly uncompiled: string } {
  const { stdout, stderr, exitCode } = jq.raw(inputs.join("\n"), `try [${program}\n] catch {failed: .}`, ["-c"]);
  if (exitCode === 3) return { uncompiled: stderr };
  return stdout === "" ? [] : stdout.split("\n").map((line) => outcomeOf(fromJson(line)));
}

const outcomeOf = (answer: Json): Outcome =>
  isObject(answer) ? { failed: answer.failed! } : { outputs: answer as readonly Json[] };
