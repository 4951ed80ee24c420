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
 * called. So the command's own files are compiled whole, if there is a cache to keep that; Node's modules come before, as they are
 * cached in another way, which lasts only while V8's flags are those that Node was built with.
 */
function start() {
  var nodeModule = require("node:module");
  var statuses = nodeModule.constants.compileCacheStatus;
  var isCached = [statuses.ENABLED, statuses.ALREADY_ENABLED].includes(nodeModule.enableCompileCache().status);
  ["node:os", "node:process", "node:stream", "node:timers/promises"].forEach(require);
  var v8 = require("node:v8");
  if (isCached) v8.setFlagsFromString("--no-lazy");
  require("./command/main.cjs");
  if (isCached) v8.setFlagsFromString("--lazy");
}
