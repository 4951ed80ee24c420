import type { SimulatedEnvironment } from "../../../../src/environment/environment.ts";
import type { JsonObject } from "../../../../src/json.ts";
import { simulate } from "../../../../src/scenario/simulation.ts";
import type { ActivationScope } from "../../../../targets/openwhisk/simulator/activation-scope.ts";
import { installAlarms } from "../../../../targets/openwhisk/simulator/alarms.ts";
import { createClient } from "../../../../targets/openwhisk/simulator/client.ts";
import { type ActionRequest, putAction } from "../../../../targets/openwhisk/simulator/entities.ts";
import { createPlatform, type Platform } from "../../../../targets/openwhisk/simulator/platform.ts";
import type { Rates } from "../../../../targets/openwhisk/simulator/rates.ts";
import { createRedis } from "../../../../targets/openwhisk/simulator/redis.ts";

/** A platform for a test. */
export interface TestPlatform {
  readonly platform: Platform;
  readonly environment: SimulatedEnvironment;
  readonly scope: ActivationScope;
  /** The commands sent to the store. */
  readonly sent: readonly string[];
  put(name: string, code: string, request?: Partial<ActionRequest>): void;
  /** The response of an action. */
  invoke(name: string, params?: JsonObject): Promise<JsonObject>;
}

/**
 * Runs a test on a platform with virtual time from the year 2020. Functions return `{ "<name>": n }` after a second.
 * `ticks`: interval alarms fire until they are removed. `hasStore`: actions reach a Redis server at any address.
 */
export async function onPlatform<T>(
  work: (site: TestPlatform) => Promise<T>,
  options: TestPlatformOptions = {},
): Promise<T> {
  let given: T | undefined;
  const seen = await simulate(
    {
      clock: Date.UTC(2020, 0, 1),
      events: [],
      reply: async (name, index) => ({ takes: 1, answer: { kind: "returns", value: { [name]: index } } }),
    },
    async (environment) => {
      environment.started();
      given = await work(createTestPlatform(environment, options));
      return { status: "succeeded", output: null };
    },
  );
  if (seen.outcome.status !== "succeeded") throw new Error(`It is ${seen.outcome.status}.`);
  return given!;
}

interface TestPlatformOptions {
  readonly ticks?: boolean;
  readonly hasStore?: boolean;
  /** The concurrency limit. Default: unlimited. */
  readonly concurrent?: number | undefined;
  /** Default: unlimited. */
  readonly rates?: Rates;
}

function createTestPlatform(
  environment: SimulatedEnvironment,
  { ticks = true, hasStore = false, concurrent, rates }: TestPlatformOptions,
): TestPlatform {
  const scope: ActivationScope = { environment, position: [] };
  const redis = createRedis(() => environment.now());
  const sent: string[] = [];
  const connect = () => {
    const connection = redis.connect();
    const write = connection.write.bind(connection) as (...given: readonly unknown[]) => boolean;
    connection.write = (...given: readonly unknown[]) => {
      sent.push(String(given[0]));
      return write(...given);
    };
    return connection;
  };
  const platform = createPlatform({
    ...(concurrent !== undefined && { concurrent }),
    ...(rates && { rates }),
    globalsOf: (at, _action, within) => ({
      modules: {
        openwhisk: createClient(within, at, async () => false),
        ...(hasStore ? { "node:net": { connect }, "node:tls": { connect } } : {}),
      },
      fetch: undefined,
    }),
    fault: (error) => {
      throw error;
    },
  });
  installAlarms(platform, { ticks });
  return {
    ...{ platform, environment, scope, sent },
    put(name, code, request = {}) {
      putAction(platform.entities, name, {
        exec: { kind: "code", runtime: "nodejs:20", code, main: "main" },
        ...request,
      });
    },
    async invoke(name, params = {}) {
      const { response } = await platform.invoke(name, params, scope).ended;
      return response as unknown as JsonObject;
    },
  };
}
