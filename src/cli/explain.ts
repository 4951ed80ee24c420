import { catalogue, type Kind } from "../diagnostics/catalogue.ts";
import type { Explanation } from "../diagnostics/explanations/explanation.ts";
import { explanations } from "../diagnostics/explanations/index.ts";
import { nearest } from "../text/suggest.ts";
import { type ExitStatus, exit, type Terminal, usage } from "./terminal.ts";

/** `waybill explain`: what a code means, why there is such a diagnostic, and an example of it; without a code the list of all. */
export function explain(code: string | undefined, terminal: Terminal): ExitStatus {
  if (code === undefined) terminal.out([...catalogue.values()].map((kind) => `${head(kind)}\n`).join(""));
  else terminal.out(text(kindOf(code)));
  return exit.fine;
}

function kindOf(code: string): Kind {
  const wanted = /^\d/.test(code) ? `WB${code}` : code.toUpperCase();
  const found = catalogue.get(wanted);
  if (found) return found;
  const near = nearest(wanted, catalogue.keys());
  throw usage(
    `There is no code \`${code}\`.${near === undefined ? " `waybill explain` lists them all." : ` Did you mean \`${near}\`?`}`,
  );
}

const head = ({ code, severity, summary }: Kind): string => `${code} ${severity}: ${summary}`;

function text(kind: Kind): string {
  const explanation = explanations[kind.code];
  return explanation ? `${head(kind)}\n\n${paragraphs(explanation).join("\n\n")}\n` : `${head(kind)}\n`;
}

function paragraphs({ means, why, example }: Explanation): readonly string[] {
  const { file, bad, good, beside = {} } = example;
  const others = Object.entries(beside).flatMap(([path, content]) => [`Beside it, in ${path}:`, indented(content)]);
  const how = circumstances(example);
  return [
    means,
    why,
    `For example, in ${file}${how === "" ? "" : ` (${how})`}:`,
    indented(bad),
    ...others,
    "And mended:",
    indented(good),
  ];
}

/** The options that the example needs. */
function circumstances({ target, from, options = {}, maximumBytes }: Explanation["example"]): string {
  return [
    ...(target === undefined ? [] : [`--target ${target}`]),
    ...(from === undefined ? [] : [`--from ${from}`]),
    ...Object.entries(options).map(([name, value]) => `--option ${name}=${value}`),
    ...(maximumBytes === undefined ? [] : [`--max-bytes ${maximumBytes}`]),
  ].join(" ");
}

/** Long examples are cut: what there is to see is at their beginning. */
function indented(text: string): string {
  const lines = text.trimEnd().split("\n");
  const shown = lines.length > 40 ? [...lines.slice(0, 40), "…"] : lines;
  return shown.map((line) => `    ${line.length > 160 ? `${line.slice(0, 160)}…` : line}`.trimEnd()).join("\n");
}
