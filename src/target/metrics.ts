/** A measurement: `{ name: "states", value: 7 }`. */
export interface Metric {
  /** The unit, printed after the number: `states`. */
  readonly name: string;
  readonly value: number;
  /** The platform's maximum. */
  readonly limit?: number | undefined;
}

/** A measurement of a workflow's artifact, of one of its states, or of a scenario's run. */
export interface WorkflowMetric extends Metric {
  /** The id of the workflow. */
  readonly workflow: string;
  readonly state?: string | undefined;
  readonly scenario?: string | undefined;
}
