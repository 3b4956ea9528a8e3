// Plain JavaScript, for the same reason as wirelab.js: modules imported below are compiled once.
import module from "node:module";

module.enableCompileCache();
await import("./worker-main.ts");
