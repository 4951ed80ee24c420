// Each function imports its own dependencies, so that a process that only parses loads only the parser.

const library = new URL("../../dist/index.js", import.meta.url).href;

/** Parses YAML with the `yaml` package alone. */
export async function parseText(text: string): Promise<void> {
  const { parseDocument } = await import("yaml");
  parseDocument(text, { stringKeys: true, merge: true, prettyErrors: false }).toJS();
}

/**
 * Compiles a definition to a state machine with the built library. WB5109 (machine too large) counts as success,
 * because it is reported after all the work.
 */
export async function compileText(text: string): Promise<void> {
  const { compile } = (await import(library)) as typeof import("../../src/index.ts");
  const { files, diagnostics } = await compile({ sources: [{ path: "workflow.yaml", text }], target: "asl" });
  if (files.length === 0 && diagnostics.some(({ code, severity }) => severity === "error" && code !== "WB5109")) {
    throw new Error("The definition does not compile.");
  }
}
