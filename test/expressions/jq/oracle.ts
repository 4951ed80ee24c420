import { loadJq } from "jq-wasm";

/** jq 1.8.2 itself. There is one variable from outside, `$given`. */
export interface Oracle {
  /** Whether jq's compiler takes a program; nothing is run. */
  compiles(program: string): boolean;
  /**
   * What jq's compiler makes of a program: equal for two programs if, but for the lines that `$__loc__` tells, jq understands them alike. What
   * the compiler says where it takes none.
   */
  bytecode(program: string): string;
  /** All that a program gives for an input, as lines of JSON, and the error that ends it, if one does. */
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

/** A program that compiles as another does, and does nothing. */
const unrun = (program: string): string => `empty | ${program}`;
