import type { Language } from "../language.ts";
import { asl } from "./asl/index.ts";
import { composerFsm } from "./composer-fsm/index.ts";
import { functionWorkflow } from "./function-workflow/index.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";
import { serverlessWorkflow08 } from "./serverless-workflow-0.8/index.ts";
import { serverlessWorkflow10 } from "./serverless-workflow-1.0/index.ts";
import { sm4c } from "./sm4c/index.ts";
import { yawl } from "./yawl/index.ts";

/** All source languages. */
export const languages: readonly Language[] = [
  serverlessWorkflow,
  serverlessWorkflow08,
  serverlessWorkflow10,
  functionWorkflow,
  yawl,
  composerFsm,
  sm4c,
  asl,
];
