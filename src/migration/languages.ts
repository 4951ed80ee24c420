import { sourceLanguage as draft } from "./serverless-workflow/language.ts";
import { sourceLanguage as version08 } from "./serverless-workflow-0.8/language.ts";
import { writtenLanguage } from "./serverless-workflow-1.0/language.ts";

/** The languages that can be migrated to Serverless Workflow 1.0. */
export const migratedLanguages: readonly string[] = [version08, draft];

/** The languages that definitions can be migrated to. */
export const migrationTargets: readonly string[] = [writtenLanguage];
