/** What the front end for the Serverless Workflow draft has to say: WB21xx, WB31xx and WB41xx. */
export * from "./data.ts";
export * from "./flow.ts";
export * from "./names.ts";
