import type { Language } from "../language.ts";
import { serverlessWorkflow } from "./serverless-workflow/index.ts";

/** The source languages. */
export const languages: readonly Language[] = [serverlessWorkflow];
