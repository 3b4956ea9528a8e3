// Plain JavaScript: worker threads of the npm package find it beside the chunk of the command.
await import("./worker.ts");
