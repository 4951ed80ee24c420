import { type Jq, loadJq } from "jq-wasm";
import { fromJson } from "../../../../src/expressions/library/json-reader.ts";
import { isObject, type Json } from "../../../../src/json.ts";
import type { Outcome } from "../../../expressions/js/running.ts";

/** Runs jq 1.8.2 on several inputs. */
export interface JqRunner {
  /** Returns one outcome per input, undefined where jq crashes, or the reason why jq rejects the program. */
  ask(
    program: string,
    inputs: readonly string[],
  ): Promise<readonly (Outcome | undefined)[] | { readonly uncompiled: string }>;
}

/** Loads jq, and reloads it after a crash. */
export async function loadJqRunner(): Promise<JqRunner> {
  let jq = await loadJq();
  const ask: JqRunner["ask"] = async (program, inputs) => {
    try {
      const answer = runJqProgram(jq, program, inputs);
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

/** The program prints one line per input: an array of outputs, or an object with the error. */
function runJqProgram(
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
