import type { Explanations } from "./explanation.ts";
import { data } from "./serverless-workflow/data.ts";
import { flow } from "./serverless-workflow/flow.ts";
import { names } from "./serverless-workflow/names.ts";

/** What is said about Serverless Workflow definitions: WB21xx, WB31xx, WB41xx. */
export const serverlessWorkflow: Explanations = { ...names, ...flow, ...data };
