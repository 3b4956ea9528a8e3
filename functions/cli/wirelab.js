#!/usr/bin/env -S node --max-semi-space-size=2
// Plain JavaScript, and nothing but this: Node keeps the compiled form of what is imported below, types stripped, so from
// the second call on a command starts some 100 ms sooner than a main.ts run by itself. The small young generation keeps
// `link` small: what it reads is garbage a moment later, and is collected the sooner.
import module from "node:module";

if (process.features.typescript) {
  module.enableCompileCache();
  const { main } = await import("./main.ts");
  // Output that nobody reads any more is no fault; output that cannot be written is one.
  process.stdout.on("error", (error) => {
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`wirelab: cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  process.stderr.on("error", () => process.exit(1));
  process.exitCode = await main(process.argv.slice(2), process);
} else {
  process.stderr.write(
    `wirelab: needs Node.js 22.18 or newer, this is ${process.version}; "npx wirelab" runs it on the project's\n`,
  );
  process.exitCode = 2;
}
