// What V8 has compiled of the command and its libraries, kept from one run for the next. Node's compile cache keeps those functions of a file
// that were compiled when it had loaded. V8 compiles the others when they are called, in each run again, which is most of what a short run
// does. Here files are kept as they are when the process ends: with the functions that were called, and with no others.
"use strict";

const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const v8 = require("node:v8");
const { constants, Script } = require("node:vm");

/** Which functions are called differs from run to run: once in this time a run adds its own. */
const renewalMs = 24 * 60 * 60 * 1000;

const [before, after] = Module.wrapper;

exports.keepCompiled = keepCompiled;

/**
 * From here on CommonJS modules are made of what earlier runs kept, and what is new is kept when the process ends. It lies in the folder of
 * Node's compile cache, whose variables (`NODE_COMPILE_CACHE`, `NODE_DISABLE_COMPILE_CACHE`) hold for it too.
 */
function keepCompiled() {
  const { directory } = Module.enableCompileCache();
  if (directory === undefined || process.sourceMapsEnabled) return;
  const modules = [];
  const compile = Module.prototype._compile;
  Module.prototype._compile = function compileKept(content, path, format) {
    const module = moduleOf(content, path, format, directory);
    if (module === undefined) return compile.call(this, content, path, format);
    modules.push(module);
    const run = module.script.runInThisContext();
    return run.call(this.exports, this.exports, Module.createRequire(path), this, path, dirname(path));
  };
  process.on("exit", () => {
    if (modules.some(({ isNew }) => isNew)) modules.forEach(keep);
  });
}

/**
 * A module's script, which is new if it was not kept, has changed since, is old, or was kept by another V8. Nothing, if it is no CommonJS
 * module: those of packages that do not say what theirs are show it by their syntax.
 */
function moduleOf(content, path, format, directory) {
  if (format !== "commonjs" && format !== undefined) return undefined;
  const { size, mtimeMs } = statSync(path);
  const file = join(directory, `waybill-${Buffer.from(path).toString("base64url").slice(-200)}`);
  const kept = keptIn(file);
  const isSame = kept?.path === path && kept.size === size && kept.mtimeMs === mtimeMs;
  try {
    const script = new Script(before + content + after, {
      filename: path,
      columnOffset: -before.length,
      cachedData: isSame ? kept.data : undefined,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    const isNew = !isSame || script.cachedDataRejected === true || Date.now() - kept.time > renewalMs;
    return { file, path, size, mtimeMs, script, isNew };
  } catch {
    return undefined;
  }
}

function keptIn(file) {
  try {
    return v8.deserialize(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Nobody waits for it: where it cannot be written, the next run compiles again. */
function keep({ file, path, size, mtimeMs, script }) {
  const kept = { path, size, mtimeMs, time: Date.now(), data: script.createCachedData() };
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(written, v8.serialize(kept));
    renameSync(written, file);
  } catch {}
}
