// Caches compiled modules between runs. Unlike Node's compile cache, which stores modules when they are loaded, it stores
// them when the process ends, and so includes the functions that were called. Compiling these is most of a short run.
"use strict";

const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { constants, Script } = require("node:vm");

/** Runs call different functions, so the cache is renewed after this time. */
const renewalMs = 24 * 60 * 60 * 1000;

const [before, after] = Module.wrapper;

const chunks = join(__dirname, "command");

exports.enableCache = enableCache;

/**
 * Loads CommonJS modules from the cache from now on, and stores new ones when the process ends. The cache is in the folder
 * of Node's compile cache, so `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` apply.
 */
function enableCache() {
  const { directory } = Module.enableCompileCache();
  if (directory === undefined || process.sourceMapsEnabled) return;
  const modules = [];
  const compile = Module.prototype._compile;
  Module.prototype._compile = function compileCached(content, path, format) {
    const module = loadModule(content, path, format, directory);
    if (module === undefined) return compile.call(this, content, path, format);
    modules.push(module);
    const run = module.script.runInThisContext();
    // Chunks only call `require`, and find each other faster without their own resolution.
    const require = dirname(path) === chunks ? (id) => this.require(id) : Module.createRequire(path);
    return run.call(this.exports, this.exports, require, this, path, dirname(path));
  };
  process.on("exit", () => {
    if (modules.some(({ isNew }) => isNew)) modules.forEach(store);
  });
}

/**
 * Returns the script of a CommonJS module; undefined for other modules. It is new if it is missing in the cache, outdated,
 * or stored by another version of V8.
 */
function loadModule(content, path, format, directory) {
  if (format !== "commonjs" && format !== undefined) return undefined;
  const { size, mtimeMs } = statSync(path);
  const file = join(directory, `waybill-${Buffer.from(path).toString("base64url").slice(-200)}`);
  const cached = readCached(file);
  const isSame = cached?.path === path && cached.size === size && cached.mtimeMs === mtimeMs;
  try {
    const script = new Script(before + content + after, {
      filename: path,
      columnOffset: -before.length,
      cachedData: isSame ? cached.data : undefined,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    const isNew = !isSame || script.cachedDataRejected === true || Date.now() - cached.time > renewalMs;
    return { file, path, size, mtimeMs, script, isNew };
  } catch {
    return undefined;
  }
}

/** The code comes first, because V8 copies it unless it is aligned; then its description, and the length of that. */
function readCached(file) {
  try {
    const bytes = readFileSync(file);
    const end = bytes.length - 4;
    const start = end - bytes.readUInt32LE(end);
    return { ...JSON.parse(bytes.toString("utf8", start, end)), data: bytes.subarray(0, start) };
  } catch {
    return undefined;
  }
}

/** Ignores errors: the next run compiles the module again. */
function store({ file, path, size, mtimeMs, script }) {
  const description = Buffer.from(JSON.stringify({ path, size, mtimeMs, time: Date.now() }));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(description.length);
  const written = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(written, Buffer.concat([script.createCachedData(), description, length]));
    renameSync(written, file);
  } catch {}
}
