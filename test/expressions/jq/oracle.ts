import { loadJq } from "jq-wasm";

/** jq 1.8.2 itself, with one predefined variable, `$given`. */
export interface Oracle {
  /** Whether jq compiles a program; nothing runs. */
  compiles(program: string): boolean;
  /**
   * jq's compiled form of a program, without the lines of `$__loc__`, or the compiler's message. Equal for programs
   * that jq understands alike.
   */
  bytecode(program: string): string;
  /** All outputs of a program as lines of JSON, and the error that ends it. */
  run(program: string, input: string): string;
}

/** Loads jq. */
export async function loadOracle(): Promise<Oracle> {
  const jq = await loadJq();
  const ask = (program: string, input: string, ...flags: readonly string[]) =>
    jq.raw(input, program, ["-c", "--arg", "given", "1", ...flags]);
  return {
    compiles: (program) => ask(unrun(program), "null").exitCode === 0,
    bytecode(program) {
      const { stdout, stderr } = ask(unrun(program), "null", "--debug-dump-disasm");
      return (stdout + stderr).replaceAll(/"line":\d+/g, '"line":0');
    },
    run(program, input) {
      const { stdout, stderr } = ask(` ${program}`, input);
      return `${stdout}\n${stderr}`;
    },
  };
}

/** A program that compiles like another and does nothing. */
const unrun = (program: string): string => `empty | ${program}`;
