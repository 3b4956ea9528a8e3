/** What is beside a topology; absent where there are no files. */
import type { LookAt } from "../../read/read-guest-files.ts";
import type { LoadFile } from "../../read/read-replay.ts";

export interface Surroundings {
  readonly look?: LookAt;
  readonly load?: LoadFile;
  /** Returns the names of the files in a folder; none if it is not there. An empty name is the folder of a file without one. */
  readonly list?: (folder: string) => readonly string[];
}
