/** The language that this folder writes. */
export const writtenLanguage = "serverless-workflow-1.0";
