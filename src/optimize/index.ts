export { withoutDecidedChoices } from "./decided-choices.ts";
export { withFusedAssignments } from "./fused-assignments.ts";
export { withThreadedJumps } from "./threaded-jumps.ts";
