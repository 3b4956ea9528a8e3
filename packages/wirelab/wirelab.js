#!/usr/bin/env -S node --max-semi-space-size=2
// The entry file of the command, in this repository and in the package that it is packed in (infra/package/build.ts). It is plain
// JavaScript that Node.js 18 can parse, and imports nothing else before the check. With the cache of compiled modules, a command starts
// about 100 ms sooner from the second call on. The small young generation limits the memory of `link`: its input becomes garbage at once,
// and a small generation is collected sooner.
import module from "node:module";
import nodeVersion from "./node-version.cjs";

if (nodeVersion.isTooOld(process.version)) {
  process.stderr.write(
    `wirelab: needs Node.js ${nodeVersion.least} or newer, this is ${process.version}; install a newer one, or run it in a project with the npm package "node"\n`,
  );
  process.exitCode = 2;
} else {
  module.enableCompileCache();
  const { main } = await import("./main.ts");
  // A reader that has closed its end is not an error; output that cannot be written is one.
  process.stdout.on("error", (error) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`wirelab: cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on("error", () => process.exit(1));
  process.exitCode = await main(process.argv.slice(2), process);
}
