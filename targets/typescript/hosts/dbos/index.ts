import { templates } from "../../../../src/generated/typescript-dbos-templates.js";
import { dbosScript } from "../../../../src/generated/typescript-runtime.js";
import { renderTemplate } from "../../../../src/js-ast/index.ts";
import type { Host } from "../../host.ts";
import { composeBuild } from "../../image.ts";
import { eventsKeptForRetries } from "../../readme.ts";
import { serverFiles, serverScripts } from "../../server-program.ts";

/** PostgreSQL for any number of processes, with DBOS. */
export const host: Host = {
  name: "dbos",
  module: {
    script: dbosScript,
    types: (runtime) => `import type { main } from ${JSON.stringify(runtime)};

/** Opens an engine whose store is a PostgreSQL database, by its URL. */
export declare const openEngine: Parameters<typeof main>[0]["open"];
`,
  },
  packages: () => new Map(packages),
  limits: {},
  hasServer: true,
  scripts: serverScripts,
  outputFolders: [],
  files: (project) => [
    ...serverFiles(project, {
      engineModule: "./dbos.js",
      readme: { store: renderTemplate(templates["store.md"], {}), retention: eventsKeptForRetries },
    }),
    {
      path: "compose.yaml",
      text: renderTemplate(templates["compose.yaml"], { build: composeBuild(project.image) }),
    },
  ],
};

const packages: readonly (readonly [name: string, version: string])[] = [
  ["@dbos-inc/dbos-sdk", "5.3.0"],
  ["pg", "8.23.1"],
];
