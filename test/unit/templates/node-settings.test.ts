import { describe, expect, test } from "vitest";
import type { Template } from "../../../functions/shared/schemas/template.ts";
import { BUILTIN } from "../../../functions/templates/builtin.ts";
import { DEFAULTS, platformDefaults } from "../../../functions/templates/defaults.ts";
import { refuseInvalidSettings, settingsOf } from "../../../functions/templates/node-settings.ts";

const template = (template_type: Template["template_type"], settings: object = {}): Template => ({
  template_id: "39e257dc-8412-3174-b6b3-0ee3ed6a43e1",
  template_type,
  name: "T",
  compute_id: "local",
  builtin: false,
  ...(DEFAULTS[template_type] as object as Pick<Template, "category" | "default_name_format" | "symbol">),
  ...settings,
});

describe("the settings of a node", () => {
  test("are the fields of nodes and, as properties, the others that are set", () => {
    expect(
      settingsOf(template("vpcs", { startup_script: "ip dhcp", usage: "", port_segment_size: null })),
    ).toEqual({
      node_type: "vpcs",
      console_auto_start: false,
      console_type: "telnet",
      symbol: ":/symbols/vpcs_guest.svg",
      properties: { base_script_file: "vpcs_base_config.txt", startup_script: "ip dhcp" },
    });
  });

  test("of a built-in template include its properties", () => {
    const vpcs = BUILTIN.find(({ template_type }) => template_type === "vpcs")!;
    expect(settingsOf(vpcs).properties).toEqual({ base_script_file: "vpcs_base_config.txt" });
  });
});

describe("the templates of types that run here", () => {
  test.each(BUILTIN.map((each) => [each.name, each] as const))("%s is valid", async (_name, each) => {
    await expect(refuseInvalidSettings(each)).resolves.toBeUndefined();
  });

  test.each(["vpcs", "ethernet_switch", "ethernet_hub", "cloud"] as const)(
    "one of type %s is valid with its defaults",
    async (type) => {
      await expect(refuseInvalidSettings(template(type))).resolves.toBeUndefined();
    },
  );

  test("one with a wrong property is rejected at the template's field", async () => {
    await expect(refuseInvalidSettings(template("vpcs", { startup_script: 7 }))).rejects.toMatchObject({
      problems: [{ path: "body.startup_script" }],
    });
    await expect(refuseInvalidSettings(template("vpcs", { console_type: "serial" }))).rejects.toMatchObject({
      problems: [{ path: "body.console_type" }],
    });
  });

  test("one of a type that does not run here takes any setting", async () => {
    await expect(refuseInvalidSettings(template("qemu", { anything: 7 }))).resolves.toBeUndefined();
  });
});

test("a Dynamips router has the memory of its platform", () => {
  expect(platformDefaults("c3745")).toEqual({ ram: 256 });
  expect(platformDefaults("c7200")).toMatchObject({ ram: 512, npe: "npe-400" });
  expect(platformDefaults("unknown")).toEqual({});
});
