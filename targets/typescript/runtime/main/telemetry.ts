import type { RunName, Telemetry } from "../engine.ts";
import { causeOf, describeFailure } from "./failure-log.ts";

/** OpenTelemetry's API. */
type Api = typeof import("@opentelemetry/api");

/**
 * Traces and metrics of runs by OpenTelemetry's API; undefined if it is not installed. The exporter is set up before
 * the program: `node --import ./instrumentation.ts main.ts serve`.
 */
export async function installedTelemetry(): Promise<Telemetry | undefined> {
  try {
    return telemetryBy(await import("@opentelemetry/api"));
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown && thrown.code === "ERR_MODULE_NOT_FOUND") return undefined;
    throw thrown;
  }
}

/** Reports to several observers. Calls are wrapped by each, the first outermost. */
export function combineTelemetry(observers: readonly Telemetry[]): Telemetry | undefined {
  if (observers.length < 2) return observers[0];
  const report = (to: (each: Telemetry) => void): void => {
    for (const each of observers) to(each);
  };
  return {
    started: (run) => report((each) => each.started(run)),
    resumed: (run) => report((each) => each.resumed(run)),
    suspended: (id) => report((each) => each.suspended(id)),
    ended: (run) => report((each) => each.ended(run)),
    call: (run, call, work) => observers.reduceRight((inner, each) => () => each.call(run, call, inner), work)(),
    traceOf(id) {
      for (const each of observers) {
        const trace = each.traceOf?.(id);
        if (trace !== undefined) return trace;
      }
      return undefined;
    },
    committed: (seconds) => report((each) => each.committed?.(seconds)),
  };
}

type Span = import("@opentelemetry/api").Span;
type SpanContext = import("@opentelemetry/api").SpanContext;

/**
 * Creates a span for each period that a run is active in this process, and in it a span for each call of a function.
 */
export function telemetryBy(api: Api): Telemetry {
  const tracer = api.trace.getTracer(scope);
  const measures = measuresBy(api);
  const spans = new Map<string, Span>();
  const begun = new Set<string>();
  const taken = (id: string): Span | undefined => {
    const span = spans.get(id);
    spans.delete(id);
    return span;
  };
  return {
    started({ id, workflow }) {
      begun.add(id);
      measures.started.add(1, { [attributes.workflow]: workflow });
    },
    resumed(run) {
      const cause = spanContextOf(run.trace);
      const isFirst = begun.delete(run.id);
      const links = cause && !isFirst ? [{ context: cause }] : [];
      const parent = cause && isFirst ? api.trace.setSpanContext(api.ROOT_CONTEXT, cause) : api.ROOT_CONTEXT;
      spans.set(run.id, tracer.startSpan(`run ${run.workflow}`, { attributes: attributesOf(run), links }, parent));
    },
    traceOf(id) {
      const span = api.trace.getActiveSpan() ?? spans.get(id);
      const context = span?.spanContext();
      return context && api.isSpanContextValid(context) ? traceIn(context) : undefined;
    },
    suspended: (id) => taken(id)?.end(),
    ended({ id, workflow, status, error, created, updated }) {
      const labels = {
        [attributes.workflow]: workflow,
        [attributes.status]: status,
        ...(error && { "error.type": error.name }),
      };
      measures.ended.add(1, labels);
      measures.runDuration.record((Date.parse(updated) - Date.parse(created)) / 1000, labels);
      const span = taken(id)?.setAttribute(attributes.status, status);
      if (span) finish(api, span, error && Object.assign(new Error(error.message), { name: error.name }));
    },
    call: callsBy(api, measures, (id) => spans.get(id)),
  };
}

/** The cause of a run is the parent of its first span; later spans link to it. */
function spanContextOf(trace: string | undefined): SpanContext | undefined {
  if (trace === undefined) return undefined;
  const [, traceId, spanId, flags] = trace.split("-");
  return { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags!, 16), isRemote: true };
}

const traceIn = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

/** Creates a span for each call of a function, in the span of its run. */
function callsBy(
  api: Api,
  { callDuration }: ReturnType<typeof measuresBy>,
  spanOf: (run: string) => Span | undefined,
): Telemetry["call"] {
  const { ROOT_CONTEXT, context, trace } = api;
  const tracer = trace.getTracer(scope);
  return (run, { step, key, attempt }, work) => {
    const parent = spanOf(run.id);
    const around = parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const own = { [attributes.step]: step, [attributes.key]: key, [attributes.attempt]: attempt };
    const span = tracer.startSpan(`call ${step}`, { attributes: { ...attributesOf(run), ...own } }, around);
    const since = performance.now();
    const done = (error?: unknown): void => {
      const name = error instanceof Error ? error.name : "Error";
      const labels = { [attributes.workflow]: run.workflow, [attributes.step]: step };
      const outcome = error === undefined ? labels : { ...labels, "error.type": name };
      callDuration.record((performance.now() - since) / 1000, outcome);
      finish(api, span, error);
    };
    return observed(() => context.with(trace.setSpan(around, span), work), done);
  };
}

/** Ends a span, with an error if there is one. */
function finish({ SpanStatusCode }: Api, span: Span, error: unknown): void {
  if (error !== undefined) {
    const { name, message } = error instanceof Error ? error : { name: "Error", message: String(error) };
    span.setAttribute("error.type", name);
    span.recordException({ name, message, stack: describeFailure(causeOf(error)) });
    span.setStatus({ code: SpanStatusCode.ERROR, message });
  }
  span.end();
}

/** The instrumentation scope. */
const scope = "waybill";

/** The attributes of spans and metrics without a convention of OpenTelemetry. */
const attributes = {
  run: "waybill.run.id",
  workflow: "waybill.workflow.id",
  version: "waybill.workflow.version",
  status: "waybill.run.status",
  step: "waybill.step.name",
  key: "waybill.step.key",
  attempt: "waybill.step.attempt",
} as const;

const attributesOf = ({ id, workflow, version }: RunName) => ({
  [attributes.run]: id,
  [attributes.workflow]: workflow,
  [attributes.version]: version,
});

function measuresBy({ metrics }: Api) {
  const meter = metrics.getMeter(scope);
  const duration = (name: string, description: string) => meter.createHistogram(name, { unit: "s", description });
  return {
    started: meter.createCounter("waybill.run.started", { unit: "{run}", description: "Runs that have begun." }),
    ended: meter.createCounter("waybill.run.ended", { unit: "{run}", description: "Runs that have ended." }),
    runDuration: duration("waybill.run.duration", "From the start of runs to their end."),
    callDuration: duration("waybill.call.duration", "How long calls of functions take."),
  };
}

/** Calls a function, and reports when its result has settled. */
function observed<T>(work: () => Promise<T> | T, done: (error?: unknown) => void): Promise<T> | T {
  const failed = (thrown: unknown): never => {
    done(thrown ?? new Error(String(thrown)));
    throw thrown;
  };
  try {
    const result = work();
    if (result instanceof Promise)
      return result.then((value: T) => {
        done();
        return value;
      }, failed);
    done();
    return result;
  } catch (thrown) {
    return failed(thrown);
  }
}
