import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../../../shared/examples/yawl/", import.meta.url));
const readme = fileURLToPath(new URL("../../../shared/sources/sm4c.md", import.meta.url));

/** Whether the examples exist; they are not part of this repository. */
export const haveSources = existsSync(folder) && existsSync(readme);

/**
 * The jq programs of the example workflows: YaWL's `\( )` and conditions, StateMachinesForCloud's `${ }`. Excludes
 * those that read secrets, which are not jq.
 */
export function realPrograms(): readonly string[] {
  if (!haveSources) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
  const workflows = files.map((name) => readFileSync(folder + name, "utf8"));
  const other = readFileSync(readme, "utf8").matchAll(/"\$\{ (.*) \}"/g);
  const programs = [
    ...workflows.flatMap((text) => [...holesOf(text), ...conditionsOf(text)]),
    ...[...other].map(([, text]) => JSON.parse(`"${text}"`) as string),
  ];
  return programs.filter((program) => !program.includes("lockboxPayload"));
}

/** The contents of `\( )`, up to the matching parenthesis. */
function holesOf(text: string): readonly string[] {
  return [...text.matchAll(/\\\(/g)].map(({ index }) => {
    let depth = 0;
    let end = index + 1;
    do {
      if (text[end] === "(") depth += 1;
      if (text[end] === ")") depth -= 1;
      end += 1;
    } while (depth > 0 && end < text.length);
    return text.slice(index + 2, end - 1);
  });
}

const conditionsOf = (text: string): readonly string[] =>
  [...text.matchAll(/condition: (?:\|-\n\s+)?(.*)$/gm)].map(([, condition]) => condition!);
