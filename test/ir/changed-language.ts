import type { Workflow } from "../../src/ir/workflow.ts";
import type { Language } from "../../src/language.ts";
import { languages } from "../languages.ts";

/** The languages, each with workflows changed as given: for parts of the IR apart from any language. */
export const languagesWith = (change: (workflow: Workflow) => Workflow): readonly Language[] =>
  languages.map((language) => ({
    ...language,
    lower(document, context) {
      const workflow = language.lower(document, context);
      return workflow && change(workflow);
    },
  }));
