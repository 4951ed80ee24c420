import fc from "fast-check";
import type { CaseGenerator } from "../case.ts";
import { cases } from "./cases.ts";
import { changes } from "./changes.ts";
import { grammar } from "./grammar.ts";
import { large } from "./large.ts";
import { separateStates } from "./separate.ts";

/** Random programs in the CNCF Serverless Workflow language, draft of June 2020. */
export const serverlessWorkflow: CaseGenerator = {
  language: "serverless-workflow",
  cases: fc.noBias(cases()),
  changes,
  large,
  grammar,
  separate: separateStates,
};
