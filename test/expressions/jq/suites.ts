import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A test of jq's suites: a program with outputs for an input, or one that must not compile. */
export interface SuiteCase {
  readonly program: string;
  /** Undefined for a program that must not compile. */
  readonly input: string | undefined;
  readonly outputs: readonly string[];
  /** The line of the program in its suite, from 1. */
  readonly line: number;
}

const files = ["jq.182.test", "man.182.test"].map((name) =>
  fileURLToPath(new URL(`../../../../shared/cases/jq/${name}`, import.meta.url)),
);

/** Whether jq's suites exist; they are not part of this repository. */
export const haveSuites = files.every((file) => existsSync(file));

/** All tests of jq 1.8.2's suites. */
export function readSuites(): readonly SuiteCase[] {
  return haveSuites ? files.flatMap((file) => readSuite(readFileSync(file, "utf8"))) : [];
}

function readSuite(text: string): readonly SuiteCase[] {
  const cases: SuiteCase[] = [];
  let block: { line: number; text: string }[] = [];
  for (const [index, line] of [...text.split("\n"), ""].entries()) {
    if (line.trim() === "" && block.length > 0) {
      cases.push(caseOf(block));
      block = [];
    } else if (line.trim() !== "" && !line.startsWith("#")) block.push({ line: index + 1, text: line });
  }
  return cases;
}

function caseOf(block: readonly { readonly line: number; readonly text: string }[]): SuiteCase {
  const [first, second, ...others] = block;
  if (first!.text.startsWith("%%FAIL"))
    return { program: second!.text, input: undefined, outputs: [], line: second!.line };
  return {
    program: first!.text,
    input: second?.text ?? "null",
    outputs: others.map(({ text }) => text),
    line: first!.line,
  };
}
