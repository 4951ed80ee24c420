import {
  dbosScript,
  lambdaScript,
  restateScript,
  runtimeScript,
  runtimeTypes,
} from "../../src/generated/typescript-runtime.js";
import type { OutputFile } from "../../src/target/contract.ts";

/** The runtime that all programs import. */
export const runtimeFiles = (): readonly OutputFile[] => [
  { path: "runtime.js", text: runtimeScript() },
  { path: "runtime.d.ts", text: runtimeTypes() },
];

/** The platform that stores runs. */
export type HostName = "sqlite" | "dbos" | "restate" | "lambda";

/** The files and packages of a host; none for SQLite, which is part of Node. */
export function hostFilesOf(host: HostName): {
  readonly files: readonly OutputFile[];
  readonly packages: ReadonlyMap<string, string>;
} {
  if (host === "sqlite") return { files: [], packages: new Map() };
  if (host === "restate")
    return {
      files: [
        { path: "restate.js", text: restateScript() },
        { path: "restate.d.ts", text: restateTypes },
      ],
      packages: new Map([["@restatedev/restate-sdk", "1.17.2"]]),
    };
  if (host === "lambda")
    return {
      files: [
        { path: "lambda.js", text: lambdaScript() },
        { path: "lambda.d.ts", text: lambdaTypes },
      ],
      packages: new Map([["@aws/durable-execution-sdk-js", "2.4.0"]]),
    };
  return {
    files: [
      { path: "dbos.js", text: dbosScript() },
      { path: "dbos.d.ts", text: dbosTypes },
    ],
    packages: new Map([
      ["@dbos-inc/dbos-sdk", "5.3.0"],
      ["pg", "8.23.1"],
    ]),
  };
}

const dbosTypes = `import type { main } from "./runtime.js";

/** Opens an engine whose store is a PostgreSQL database, by its URL. */
export declare const openEngine: Parameters<typeof main>[0]["open"];
`;

const restateTypes = `import type { main } from "./runtime.js";

/** Opens an engine whose runs are Restate workflows, by the URL of Restate's admin API. */
export declare const openEngine: Parameters<typeof main>[0]["open"];
`;

const lambdaTypes = `import type { main } from "./runtime.js";

/** Creates the handler of the workflows function: each durable execution is a run of a workflow. */
export declare const durable: (program: Deployed & { readonly receives?: boolean }) => unknown;

/** Creates the handler of the events function. */
export declare const receiving: (program: Pick<Deployed, "workflows">) => unknown;

type Deployed = Pick<Parameters<typeof main>[0], "workflows" | "functions" | "sinks">;
`;
