export { structureScope } from "./structure.ts";
export {
  type BranchItem,
  innerBlocks,
  type JumpItem,
  jumpsTo,
  type LabeledItem,
  type LoopItem,
  mayFallThrough,
  type SelectItem,
  type StepItem,
  type StructuredBlock,
  type StructuredItem,
} from "./tree.ts";
export {
  computeLiveness,
  counterVariables,
  createDataFlowGraph,
  type DataFlowEdge,
  type DataFlowNode,
  errorVariables,
  type ImplicitReads,
  type Liveness,
  mayFail,
  outerReads,
  stepReads,
} from "./variables.ts";
export { computeWebs, type Web, type WebTable } from "./webs.ts";
