/** The language that this folder reads. */
export const sourceLanguage = "serverless-workflow";
