import { parseLabFile } from "@wirelab/lab/read/parse-lab-file";
import { expect, test } from "vitest";
import { refuseForService } from "../../../functions/labs/refuse-for-service.ts";
import { ANY_IMAGE } from "../../../functions/shared/lab-file/lab-guests.ts";

const read = (more: string) =>
  parseLabFile(`nodes:\n  h1: {type: linux${more}}\n`, { name: "lab", guests: ANY_IMAGE });

test("a lab that collects files is refused, with the place and the command that plays it", () => {
  expect(() => refuseForService(read(", collect: [a, b]"))).toThrow(
    "body:2:31: nodes.h1.collect is not available in the service; wirelab test keeps files, without --url; body:2:34: nodes.h1.collect",
  );
  refuseForService(read(""));
});
