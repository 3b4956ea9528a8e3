/** `node infra/bundle/main.ts ENTRY FOLDER`: the bundle of one function. CDK asks for it and waits, so it is a process. */
import { bundle } from "./bundle.ts";

const [entry, folder] = process.argv.slice(2);
if (entry === undefined || folder === undefined) throw new Error("usage: main.ts ENTRY FOLDER");
try {
  await bundle(entry, folder);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
