import type { Reference } from "../ir/workflow.ts";
import type { JsonObject } from "../json.ts";
import type { Span } from "../text/source.ts";

/** Where a function is, for each target. */
export interface FunctionBinding {
  readonly name: Reference;
  readonly typescript?: TypescriptBinding | undefined;
  /** As it stands in the configuration. */
  readonly asl?: JsonObject | undefined;
  /** As it stands in the configuration. */
  readonly openwhisk?: JsonObject | undefined;
}

/** How a TypeScript program reaches a function. `settings`: where the definition says, with these settings. */
export type TypescriptBinding = (
  | { readonly kind: "module"; readonly module: string; readonly name: string }
  | { readonly kind: "http"; readonly request: string }
  | {
      readonly kind: "openapi";
      readonly file: string;
      readonly operation: string;
      readonly server?: Setting | undefined;
    }
  | {
      readonly kind: "grpc";
      readonly file: string;
      readonly service: string;
      readonly method: string;
      readonly address: Setting;
      readonly tls: boolean;
    }
  | { readonly kind: "settings" }
) &
  CallSettings & {
    /** What names the place: the value, or the key of the whole binding where there is none. */
    readonly span: Span;
  };

/** What is set about the calls of a function. */
export interface CallSettings {
  readonly headers: ReadonlyMap<string, Setting>;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

/** A text, or the name of a variable of the environment that holds it when the program needs it. */
export type Setting = string | { readonly env: string; readonly prefix?: string | undefined };

/** Where an event goes, for each target. */
export interface EventBinding {
  readonly name: Reference;
  readonly typescript?: (CallSettings & { readonly sink: Setting }) | undefined;
  /** As it stands in the configuration. */
  readonly asl?: JsonObject | undefined;
  /** As it stands in the configuration. */
  readonly openwhisk?: JsonObject | undefined;
}
