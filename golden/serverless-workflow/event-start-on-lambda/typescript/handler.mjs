import { functions } from "./functions.ts";
import { durable, receiving } from "./lambda.js";
import { parcel } from "./parcel.ts";

const workflows = [parcel];
// What AWS Lambda invokes: each durable execution is a run of one of the workflows.
export const handler = durable({ workflows, functions, receives: true });
// What EventBridge calls for each event that comes.
export const ingest = receiving({ workflows });
