import { templates } from "../../../../src/generated/typescript-sqlite-templates.js";
import { renderTemplate } from "../../../../src/js-ast/index.ts";
import type { Host } from "../../host.ts";
import { eventsKeptForRetries } from "../../readme.ts";
import { serverFiles, serverScripts } from "../../server-program.ts";

/** An SQLite file for one process, by the module of Node.js. */
/** What the README says about deleted data. */
const deletion =
  "Deleted data are overwritten or cut off in the file, whose space is returned a little at a time; only the\n  user of the process can read a new file. `compact` rewrites a file that an earlier version of Waybill has created.";

export const host: Host = {
  name: "sqlite",
  isDefault: true,
  packages: () => new Map(),
  limits: {},
  hasServer: true,
  scripts: serverScripts,
  outputFolders: [],
  files: (project) =>
    serverFiles(project, {
      volume: "/data",
      readme: {
        store: renderTemplate(templates["store.md"], {}),
        reading:
          ": while a server has the store open, they read a snapshot. Commands that change runs use the server, by `--url`",
        retention: `${eventsKeptForRetries}\n  ${deletion}`,
        fullStore:
          "While the\n  disk is full, requests are rejected with 503 and `Retry-After`, `/health` responds with 503, and runs wait for space. ",
        volume: renderTemplate(templates["volume.md"], {}),
      },
    }),
};
