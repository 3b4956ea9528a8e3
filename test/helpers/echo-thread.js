// A thread in place of a guest's: a slice puts out its inputs. Plain JavaScript, because it is started as a thread.
import { serve } from "../../packages/linux/guest/serve.ts";

let nowNs = 0;

await serve((request) => {
  if (request.kind === "open") return { kind: "opened" };
  if (request.kind === "save") return { kind: "saved", difference: new Uint8Array(3), nowNs };
  nowNs = Math.max(nowNs, request.toNs) + 1_000;
  const outputs = request.inputs.map((input) => ({ ...input, atNs: nowNs }));
  const texts = request.inputs.map(({ data }) => new TextDecoder().decode(data.subarray(0, 9)));
  if (texts.includes("fail")) throw new Error("it was told to");
  if (texts.includes("silence")) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return { kind: "advanced", nowNs, wakeNs: nowNs + 5, outputs };
});
