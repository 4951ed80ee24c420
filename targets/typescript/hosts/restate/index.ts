import { templates } from "../../../../src/generated/typescript-restate-templates.js";
import { restateScript } from "../../../../src/generated/typescript-runtime.js";
import { renderTemplate } from "../../../../src/js-ast/index.ts";
import type { Host } from "../../host.ts";
import { composeBuild } from "../../image.ts";
import { serverFiles, serverScripts } from "../../server-program.ts";

/** A Restate server, for any number of processes. */
export const host: Host = {
  name: "restate",
  module: {
    script: restateScript,
    types: (runtime) => `import type { main } from ${JSON.stringify(runtime)};

/** Opens an engine whose runs are Restate workflows, by the URL of Restate's admin API. */
export declare const openEngine: Parameters<typeof main>[0]["open"];
`,
  },
  packages: () => new Map(packages),
  limits: {
    journal: "Restate limits it to 32 MiB",
    tasks: "Restate keeps their journals, to which a program adds no answers yet",
    codec: "Restate stores the data of runs in its own form",
  },
  hasServer: true,
  scripts: serverScripts,
  outputFolders: [],
  files: (project) => [
    ...serverFiles(project, {
      engineModule: "./restate.js",
      readme: {
        store: renderTemplate(templates["store.md"], {}),
        retention: "Events that no run can wait for are not kept.",
      },
    }),
    {
      path: "compose.yaml",
      text: renderTemplate(templates["compose.yaml"], { build: composeBuild(project.image) }),
    },
  ],
};

const packages: readonly (readonly [name: string, version: string])[] = [["@restatedev/restate-sdk", "1.17.2"]];
