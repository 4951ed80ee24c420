import { functions } from "./functions.ts";
import { durable, receiving } from "./lambda.js";
import { parcel } from "./parcel.ts";

const workflows = [parcel];
// The entry point of the workflows function: each durable execution is a run of a workflow.
export const handler = durable({ workflows, functions, receives: true });
// The entry point of the events function, which EventBridge invokes for each event.
export const ingest = receiving({ workflows });
