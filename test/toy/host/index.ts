import type { Host } from "../../../targets/typescript/host.ts";
import { serverFiles, serverScripts } from "../../../targets/typescript/server-program.ts";

/** A host for tests: a notebook that forgets all runs when the program ends. */
export const notebook: Host = {
  name: "notebook",
  module: {
    script: () => `import { openEngine as open } from "./runtime.internal.js";

export function openEngine(options) {
  return open({ ...options, store: ":memory:" });
}
`,
    types: (runtime) => `import type { main } from ${JSON.stringify(runtime)};

export declare const openEngine: Parameters<typeof main>[0]["open"];
`,
  },
  packages: () => new Map(),
  limits: { journal: "a notebook has 80 pages" },
  hasServer: true,
  scripts: serverScripts,
  outputFolders: ["pages"],
  files: (project) => [
    ...serverFiles(project, {
      engineModule: "./notebook.js",
      readme: { store: "Runs are kept in a notebook. The program", retention: "Nothing is kept." },
    }),
    { path: "cover.txt", text: `${project.program.workflows.map(({ id }) => id).join(", ")}\n` },
  ],
};
