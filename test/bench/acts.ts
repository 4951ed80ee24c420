// Each loads what it needs itself, so that a process that only parses has only the parser in it.

const library = new URL("../../dist/index.js", import.meta.url).href;

/** Reads a text with `yaml` and nothing else. */
export async function parseText(text: string): Promise<void> {
  const { parseDocument } = await import("yaml");
  parseDocument(text, { stringKeys: true, merge: true, prettyErrors: false }).toJS();
}

/**
 * Compiles a text to a state machine with the built library. A machine that is too large for Step Functions is refused only when it has
 * been made, so it counts as well.
 */
export async function compileText(text: string): Promise<void> {
  const { compile } = (await import(library)) as typeof import("../../src/index.ts");
  const { files, diagnostics } = await compile({ sources: [{ path: "workflow.yaml", text }], target: "asl" });
  if (files.length === 0 && diagnostics.some(({ code, severity }) => severity === "error" && code !== "WB5109")) {
    throw new Error("The definition does not compile.");
  }
}
