// What bundles for browsers have in common: the core imports nothing of Node.js.

import { builtinModules } from "node:module";
import type { Plugin } from "esbuild";

/** Surfaces for Node.js only, each loaded by an `import()`. */
const surfaces = /\/(?:simulate|simulator\/index|verify\/command|open)\.ts$/;

const isBuiltin = (path: string): boolean => path.startsWith("node:") || builtinModules.includes(path);

/**
 * Makes a bundle for browsers: a module of ours that imports a built-in module of Node.js fails the build. Packages
 * guard such imports, or their manifests replace them in browsers.
 */
export const browserOnly: Plugin = {
  name: "browser only",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: surfaces }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, namespace: "surface" } : null,
    );
    onResolve({ filter: /^(?:node:)?[a-z_/]+$/ }, ({ path, importer }) => {
      if (!isBuiltin(path)) return null;
      if (importer.includes("node_modules")) return { path, namespace: "absent" };
      return { errors: [{ text: `${importer} imports ${path}, which browsers do not have.` }] };
    });
    onLoad({ filter: /.*/, namespace: "surface" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} needs Node.js.`)});`,
      loader: "js",
    }));
    onLoad({ filter: /.*/, namespace: "absent" }, () => ({ contents: "module.exports = {};", loader: "js" }));
  },
};
