/** The option `--real-time` of commands that run in real time. */
import { DataError } from "../failure.ts";
import { describeErrno, fixedMemory, type Libc, loadLibc } from "./batch/libc.ts";

/** sched(7): runs before all threads without this class, and takes turns with those that have it. */
const SCHED_RR = 2;
/** The lowest of 1 to 99: below the kernel's own threads. */
const PRIORITY = 1;
const THIS_THREAD = 0;
/** `struct sched_param`: an int. */
const PARAM_BYTES = 4;

/**
 * Gives this thread the scheduling class SCHED_RR.
 * @throws DataError if the system refuses that, or Node has no way to ask for it.
 */
export async function scheduleInRealTime(libc: Promise<Libc | undefined> = loadLibc()): Promise<void> {
  const loaded = await libc;
  if (loaded === undefined)
    throw new DataError("--real-time needs Linux on x64 or arm64, and the package koffi: npm install koffi");
  const param = fixedMemory(PARAM_BYTES);
  new DataView(param.buffer).setInt32(0, PRIORITY, true);
  if (loaded.sched_setscheduler(THIS_THREAD, SCHED_RR, param) < 0)
    throw new DataError(
      `--real-time: ${describeErrno("sched_setscheduler", loaded.errno())}; run as root or with the capability CAP_SYS_NICE`,
    );
}
