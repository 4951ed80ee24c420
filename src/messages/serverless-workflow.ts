/** What the front end for the Serverless Workflow draft has to say: WB21xx, WB31xx and WB41xx. */
export * from "./serverless-workflow/data.ts";
export * from "./serverless-workflow/flow.ts";
export * from "./serverless-workflow/names.ts";
