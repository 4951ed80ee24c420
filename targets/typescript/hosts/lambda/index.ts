import {
  lambdaAllExports,
  lambdaPublicExports,
  lambdaRuntimeCode,
  lambdaScript,
} from "../../../../src/generated/typescript-runtime.js";
import type { Host } from "../../host.ts";
import { lambdaFiles, lambdaPackages } from "./project.ts";

/** Durable executions of AWS Lambda. */
export const host: Host = {
  name: "lambda",
  module: {
    script: lambdaScript,
    runtime: { code: lambdaRuntimeCode, publicExports: lambdaPublicExports, allExports: lambdaAllExports },
    types: (runtime) => `import type { main } from ${JSON.stringify(runtime)};

/** Creates the handler of the workflows function: each durable execution is a run of a workflow. */
export declare const durable: (program: Deployed & { readonly receives?: boolean }) => unknown;

/** Creates the handler of the events function. */
export declare const receiving: (program: Pick<Deployed, "workflows">) => unknown;

type Deployed = Pick<Parameters<typeof main>[0], "workflows" | "functions" | "sinks">;
`,
  },
  packages: (program) => new Map([...lambdaPackages(program), ["@aws/durable-execution-sdk-js", "2.4.0"]]),
  limits: {
    journal: "AWS Lambda limits it to 3,000 operations",
    tasks: "a program on AWS Lambda has no server that receives answers",
    codec: "AWS Lambda stores the data of runs, and encrypts them",
  },
  hasServer: false,
  scripts: { assemble: "node assemble.mjs" },
  outputFolders: ["dist"],
  files: lambdaFiles,
};
