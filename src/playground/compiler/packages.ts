import type jsonata from "jsonata";
import type * as tsMorph from "ts-morph";
import type { jsonata as jsonataEvaluator } from "../../generated/jsonata-evaluator.js";

// The packages that few definitions need, in place of `src/lazy` in the worker: a function that needs one throws
// `PackageNeeded`, and `withPackages` repeats the work after it has loaded the package.

interface Packages {
  tsMorph?: Omit<typeof tsMorph, "default">;
  jsonata?: typeof jsonata;
  jsonataEvaluator?: typeof jsonataEvaluator;
}

const loaded: Packages = {};

const loaders: { readonly [name in keyof Required<Packages>]: () => Promise<void> } = {
  async tsMorph() {
    loaded.tsMorph = (await import("ts-morph")).default;
  },
  async jsonata() {
    loaded.jsonata = (await import("jsonata")).default;
  },
  async jsonataEvaluator() {
    loaded.jsonataEvaluator = (await import("../../generated/jsonata-evaluator.js")).jsonata;
  },
};

/** Work needs a package that is not loaded. */
class PackageNeeded extends Error {
  readonly package: keyof Packages;

  constructor(name: keyof Packages) {
    super(`The package ${name} is not loaded.`);
    this.package = name;
  }
}

function needed<Name extends keyof Packages>(name: Name): NonNullable<Packages[Name]> {
  const found = loaded[name];
  if (found === undefined) throw new PackageNeeded(name);
  return found;
}

/** Runs work again for each package that it finds missing. */
export async function withPackages<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PackageNeeded) || loaded[error.package]) throw error;
      await loaders[error.package]();
    }
  }
}

/** TypeScript's compiler, used as a parser of Composer's functions. */
export const loadTypescript = (): typeof tsMorph.ts => needed("tsMorph").ts;

/** ts-morph, which reads the signatures of functions. */
export const loadTsMorph = (): Omit<typeof tsMorph, "default"> => needed("tsMorph");

/** The JSONata parser. */
export const loadJsonata = (): typeof jsonata => needed("jsonata");

/** The synchronous evaluator of JSONata. */
export const loadJsonataEvaluator = (): typeof jsonataEvaluator => needed("jsonataEvaluator");
