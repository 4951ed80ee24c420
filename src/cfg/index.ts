export { structureScope } from "./structure.ts";
export {
  type StepItem,
  type SelectItem,
  type StructuredBlock,
  type BranchItem,
  mayFallThrough,
  type StructuredItem,
  innerBlocks,
  type JumpItem,
  jumpsTo,
  type LabeledItem,
  type LoopItem,
} from "./tree.ts";
export {
  counterVariables,
  errorVariables,
  type ImplicitReads,
  type Liveness,
  computeLiveness,
  mayFail,
  outerReads,
  type DataFlowNode,
  createDataFlowGraph,
  stepReads,
  type DataFlowEdge,
} from "./variables.ts";
export { type Web, type WebTable, computeWebs } from "./webs.ts";
