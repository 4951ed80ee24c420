import { importsOf } from "../../../src/code/index.ts";
import type { Implementation } from "./functions.ts";

const folder = "./runtime/functions/";

/** The files of the runtime's folder `functions` that implementations import. */
export function runtimeFiles(implementations: readonly Implementation[]): readonly string[] {
  return importsOf(implementations.map(({ code }) => code))
    .map(({ module }) => module)
    .filter((module) => module.startsWith(folder))
    .map((module) => module.slice(folder.length))
    .sort();
}

/** The packages that `grpc.ts` imports, where it is needed. */
export function grpcPackages(implementations: readonly Implementation[]): ReadonlyMap<string, string> {
  const isUsed = runtimeFiles(implementations).includes("grpc.ts");
  return new Map(
    isUsed
      ? [
          ["@grpc/grpc-js", "1.14.7"],
          ["@grpc/proto-loader", "0.8.1"],
        ]
      : [],
  );
}
