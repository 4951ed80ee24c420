import type { Language } from "../language.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";

/** The source languages. A document is in the first that recognises it. */
export const languages: readonly Language[] = [serverlessWorkflow];
