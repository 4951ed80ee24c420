import type { Generator } from "./case.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";

/** The languages that the harness has programs of. */
export const generators: readonly Generator[] = [serverlessWorkflow];
