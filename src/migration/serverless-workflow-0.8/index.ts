/** The language that this folder reads. */
export const sourceLanguage = "serverless-workflow-0.8";

export { readDefinition } from "./read.ts";
