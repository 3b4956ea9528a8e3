import { expect, test } from "vitest";
import { refuseIncomplete } from "../../../packages/linux/image/boot-output.ts";
import { NO_WIRE } from "../../../packages/linux/image/wire.ts";

test("a guest that has all its files and modules may print what it likes", () => {
  expect(() => refuseIncomplete("[    1.0] virtio_net virtio0 eth0: renamed\n# ", 128)).not.toThrow();
});

test("files that do not fit are refused, with the memory of the recipe", () => {
  const printed = "[    0.9] Initramfs unpacking failed: write error\n# ";
  expect(() => refuseIncomplete(printed, 128)).toThrow("do not fit into 128 MiB");
});

test("a guest without ports is refused, with what it printed", () => {
  const printed = `RTNETLINK answers: File exists\n${NO_WIRE}\n# `;
  expect(() => refuseIncomplete(printed, 128)).toThrow(/cannot make its ports: RTNETLINK answers/);
});

test("a module that does not load is named", () => {
  const printed = "insmod: can't insert '/lib/modules/libcrc32c.ko': unknown symbol in module\n# ";
  expect(() => refuseIncomplete(printed, 128)).toThrow("libcrc32c.ko");
});
