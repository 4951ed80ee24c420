import { binary, literal, object, variable } from "../../expressions/index.ts";
import { workflowNames } from "../../ir/names.ts";
import { stepsOf } from "../../ir/walk.ts";
import type { End, Handler, Step, Workflow } from "../../ir/workflow.ts";
import type { Report } from "../../text/diagnostics.ts";
import { memberOf, rejectedError } from "./context.ts";
import { missingAction } from "./tasks.ts";
