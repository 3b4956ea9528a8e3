/** The transaction that writes the helper machine's item: compute `vm` is registered in it, and removed in it. */
import { beforeEach, expect, test, vi } from "vitest";

const mocks = vi.hoisted(() => ({ holdsAll: vi.fn() }));
vi.mock("../../../../functions/shared/store/base/transact.ts", async (original) => ({
  ...(await original<object>()),
  ...mocks,
}));

beforeEach(() => {
  vi.stubEnv("TABLE_NAME", "table");
  mocks.holdsAll.mockReset().mockResolvedValue(true);
});

const load = () => import("../../../../functions/shared/store/helper/helper.ts");
const VM = {
  name: "helper",
  protocol: "http",
  host: "10.0.0.9",
  port: 80,
  user: "gns3",
  has_password: true,
} as const;

const steps = (): unknown[] =>
  mocks.holdsAll.mock.calls[0]![0].map((step: { params(): unknown }) => step.params());

test("the first write creates the item, on condition that there is none", async () => {
  const { HELPER_OFF, writeHelper } = await load();
  const written = await writeHelper(HELPER_OFF, { state: "wanted", token: "t" });
  expect(written).toMatchObject({ state: "wanted", revision: 1, since_us: expect.any(Number) });
  const [put, ...others] = steps();
  expect(others).toEqual([]);
  expect(JSON.stringify(put)).toContain('"pk":"SERVICE","sk":"HELPER"');
  expect(JSON.stringify(put)).toContain("attribute_not_exists");
});

test("entering and leaving `ready` registers and removes compute vm in the same transaction", async () => {
  const { HELPER_OFF, writeHelper } = await load();
  const booting = { ...HELPER_OFF, state: "booting", revision: 4 } as const;
  const ready = (await writeHelper(booting, { state: "ready", address: VM.host }, VM))!;
  expect(steps()).toHaveLength(2);
  expect(JSON.stringify(steps()[1])).toMatch(/"sk":"COMPUTE#vm"/);
  expect(JSON.stringify(steps()[1])).toMatch(/"host":"10\.0\.0\.9"/);

  mocks.holdsAll.mockClear();
  await writeHelper(ready, { state: "stopping" });
  expect(JSON.stringify(steps()[1])).toContain('"Key":{"pk":"SERVICE","sk":"COMPUTE#vm"}');
  expect(steps()).toHaveLength(2);

  mocks.holdsAll.mockClear();
  await writeHelper(ready, { used_us: 5 });
  expect(steps()).toHaveLength(1);
});

test("a write that lost the race returns nothing", async () => {
  const { HELPER_OFF, writeHelper } = await load();
  mocks.holdsAll.mockResolvedValue(false);
  expect(await writeHelper({ ...HELPER_OFF, revision: 2 }, { used_us: 1 })).toBeUndefined();
});
