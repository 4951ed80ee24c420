import {
  dbosScript,
  lambdaScript,
  restateScript,
  runtimeScript,
  runtimeTypes,
} from "../../src/generated/typescript-runtime.js";
import type { OutputFile } from "../../src/target/contract.ts";

/** The runtime that emitted programs import, the same in all: the engine, its command line, and what expressions and calls need. */
export const runtimeFiles: readonly OutputFile[] = [
  { path: "runtime.js", text: runtimeScript },
  { path: "runtime.d.ts", text: runtimeTypes },
];

/** Where the runs of a program are kept. */
export type HostName = "sqlite" | "dbos" | "restate" | "lambda";

/** What a program has beside the runtime for its host, and the packages that this needs; nothing for SQLite, which is in Node. */
export function hostFilesOf(host: HostName): {
  readonly files: readonly OutputFile[];
  readonly packages: ReadonlyMap<string, string>;
} {
  if (host === "sqlite") return { files: [], packages: new Map() };
  if (host === "restate")
    return {
      files: [
        { path: "restate.js", text: restateScript },
        { path: "restate.d.ts", text: restateTypes },
      ],
      packages: new Map([["@restatedev/restate-sdk", "1.17.2"]]),
    };
  if (host === "lambda")
    return {
      files: [
        { path: "lambda.js", text: lambdaScript },
        { path: "lambda.d.ts", text: lambdaTypes },
      ],
      packages: new Map([["@aws/durable-execution-sdk-js", "2.4.0"]]),
    };
  return {
    files: [
      { path: "dbos.js", text: dbosScript },
      { path: "dbos.d.ts", text: dbosTypes },
    ],
    packages: new Map([
      ["@dbos-inc/dbos-sdk", "5.3.0"],
      ["pg", "8.23.1"],
    ]),
  };
}

/** The declarations of that of DBOS. */
const dbosTypes = `import type { main } from "./runtime.js";

/** Opens an engine whose store is a database of PostgreSQL, by its address. */
export declare const openEngine: Parameters<typeof main>[0]["open"];
`;

/** The declarations of the host. */
const restateTypes = `import type { main } from "./runtime.js";

/** Opens an engine whose runs are workflows of Restate, by the address of its admin interface. */
export declare const openEngine: Parameters<typeof main>[0]["open"];
`;

/** The declarations of that of AWS Lambda. */
const lambdaTypes = `import type { main } from "./runtime.js";

/** The handler of a function of AWS Lambda: each durable execution of it is a run of one of the workflows. */
export declare const durable: (program: Deployed & { readonly receives?: boolean }) => unknown;

/** The handler of the function that takes events in. */
export declare const receiving: (program: Pick<Deployed, "workflows">) => unknown;

type Deployed = Pick<Parameters<typeof main>[0], "workflows" | "functions" | "sinks">;
`;
