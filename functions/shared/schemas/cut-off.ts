/** The end of an uploaded capture file, as replays and runs report it. */
import * as z from "zod/mini";

export const cutOff = z
  .nullable(z.string())
  .check(
    z.describe("Position at which the file ends in the middle of a packet; the packets before it were sent"),
  );
