/**
 * Frees buffers that nothing refers to any more. The states of machines are some hundred megabytes outside of V8's heap, and a thread that then
 * waits for its next slice would keep them: V8 collects when a heap grows.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let gc: (() => void) | undefined;

export function collect(): void {
  if (gc === undefined) {
    // A context that is made afterwards has the function.
    setFlagsFromString("--expose-gc");
    gc = runInNewContext("gc") as () => void;
  }
  gc();
}
