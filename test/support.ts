import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { targets } from "../targets/index.ts";
import { languages } from "./languages.ts";
import { root } from "./readme.ts";

/**
 * The table of languages × targets in README.md. A cell lists the error codes that a target reports for the goldens of
 * a language; the targets' pages explain them.
 */
export function supportTable(): string {
  const head = ["", ...targets.map(({ name }) => `[\`${name}\`](targets/${name}/README.md)`)];
  const rows = languages.map(({ name, summary }) => {
    const cells = targets.map((target) => {
      const codes = [...refusedCodes(name, target.name)].sort();
      return codes.length === 0 ? "none known" : codes.map((code) => `\`${code}\``).join(", ");
    });
    return [`[${summary}](src/languages/${name}/README.md)`, ...cells];
  });
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`.replace("|  |", "| |");
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

/** The error codes below a target's name in the goldens of a language. */
function refusedCodes(language: string, target: string): ReadonlySet<string> {
  const folder = join(root, "golden", language);
  const codes = new Set<string>();
  for (const name of readdirSync(folder)) {
    const path = join(folder, name, "diagnostics.txt");
    if (!existsSync(path)) continue;
    let current = "";
    for (const text of readFileSync(path, "utf8").split("\n")) {
      if (targets.some((each) => each.name === text)) current = text;
      const code = /: error (WB5\d{3}): /.exec(text)?.[1];
      if (code && current === target) codes.add(code);
    }
  }
  return codes;
}
