import { type JsonObject, own } from "../../json.ts";
import { type Spelling, spelling } from "../shared/index.ts";

/** The types of states. */
export const stateTypes: ReadonlySet<string> = new Set([
  "event",
  "operation",
  "switch",
  "delay",
  "parallel",
  "subflow",
  "inject",
  "foreach",
  "callback",
]);

const operators =
  "exists notexists null notnull equals notequals lessthan lessthanorequals greaterthan greaterthanorequals matches notmatches custom";

const stateDataFilter = spelling({ aliases: { inputPath: "dataInputPath", outputPath: "dataOutputPath" } });
const eventDataFilter = spelling({ aliases: { inputPath: "dataOutputPath", dataInputPath: "dataOutputPath" } });
const withEventFilter = spelling({ parts: { eventDataFilter: () => eventDataFilter } });
const eventActions = spelling({
  words: { actionMode: "sequential parallel" },
  parts: { eventDataFilter: () => eventDataFilter },
});
const dataCondition = spelling({ words: { operator: operators } });
const start = spelling({ words: { kind: "default scheduled" } });
const end = spelling({ words: { kind: "default terminate event" } });
const withStates = spelling({ parts: { states: stateSpelling } });

/** How whole definitions are spelled. */
export const definitionSpelling: Spelling = withStates;

const ofEveryState = {
  words: { type: [...stateTypes].join(" "), actionMode: "sequential parallel", completionType: "and xor n_of_m" },
  parts: {
    stateDataFilter: () => stateDataFilter,
    eventDataFilter: () => eventDataFilter,
    start: () => start,
    end: () => end,
    eventsActions: () => eventActions,
    dataConditions: () => dataCondition,
    eventConditions: () => withEventFilter,
    branches: () => withStates,
    states: stateSpelling,
  },
};

const anyState = spelling(ofEveryState);
const switchState = spelling({ ...ofEveryState, aliases: { conditions: "dataConditions", timeout: "eventTimeout" } });
const parallelState = spelling({ ...ofEveryState, aliases: { branchCompletionType: "completionType" } });

function stateSpelling(state: JsonObject): Spelling {
  const type = own(state, "type");
  switch (typeof type === "string" ? type.toLowerCase() : undefined) {
    case "switch":
      return switchState;
    case "parallel":
      return parallelState;
    default:
      return anyState;
  }
}
