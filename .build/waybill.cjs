#!/usr/bin/env node
// The command. Written so that any old Node.js can read it and say what is wrong.
"use strict";

var version = process.versions.node.split(".").map(Number);
if (version[0] < 22 || (version[0] === 22 && version[1] < 18)) {
  process.stderr.write(`Waybill needs Node.js 22.18 or later; this is ${process.versions.node}.\n`);
  process.exitCode = 3;
} else {
  start();
}

/**
 * Node's compile cache keeps the functions of a file that were compiled when it had loaded, and V8 compiles a function when it is first
 * called. So the command's own files, which alone are called .cjs, are compiled whole, if there is a cache to keep that; libraries are not, of
 * which little is called. Node's modules come before, as they are cached in another way, which lasts only while V8's flags are those that
 * Node was built with.
 */
function start() {
  var nodeModule = require("node:module");
  var statuses = nodeModule.constants.compileCacheStatus;
  var isCached = [statuses.ENABLED, statuses.ALREADY_ENABLED].includes(nodeModule.enableCompileCache().status);
  ["node:os", "node:process", "node:stream", "node:timers/promises"].forEach(require);
  var load = nodeModule._extensions[".js"];
  if (isCached) {
    nodeModule._extensions[".cjs"] = loaderWith(load, "--no-lazy", "--lazy");
    nodeModule._extensions[".js"] = loaderWith(load, "--lazy", "--no-lazy");
  }
  require("./command/main.cjs");
}

/** A loader of files during which a flag of V8 is set. */
function loaderWith(load, flag, flagAfter) {
  var v8 = require("node:v8");
  function loader(module, path) {
    v8.setFlagsFromString(flag);
    load(module, path);
    v8.setFlagsFromString(flagAfter);
  }
  return loader;
}
