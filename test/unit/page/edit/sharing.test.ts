import { signal } from "@preact/signals";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { makeHistory } from "../../../../page/src/lab/history.ts";

vi.stubGlobal("sessionStorage", { getItem: () => null });
interface Share {
  readonly user: string;
  readonly role: "viewer" | "editor";
}
/** The list as the service has it. */
let stored: readonly Share[] = [];
const call = async (method: string, _path: string, { body }: { body?: { shared_with: Share[] } } = {}) => {
  if (method === "PUT") stored = body!.shared_with;
  return { shared_with: stored };
};
const notify = vi.fn();
vi.doMock("../../../../page/src/api/call.ts", () => ({ call }));
vi.doMock("../../../../page/src/ui/notices.tsx", () => ({ notify }));
const load = (name: string) => import(`../../../../page/src/edit/${name}.ts`);
const { share } = await load("sharing");

const BOB: Share = { user: "bob", role: "viewer" };
const EVE: Share = { user: "eve", role: "editor" };
let lab: { path: string; project: { value: unknown }; history: ReturnType<typeof makeHistory> };

beforeEach(() => {
  stored = [];
  notify.mockClear();
  lab = { path: "/projects/1", project: signal({ shared_with: [] }), history: makeHistory() };
});

describe("sharing a lab", () => {
  test("is undone and done again", async () => {
    await share(lab, [BOB]);
    expect(stored).toEqual([BOB]);
    await lab.history.undo();
    expect(stored).toEqual([]);
    await lab.history.redo();
    expect(stored).toEqual([BOB]);
  });

  test("keeps what another user has changed meanwhile", async () => {
    stored = [EVE];
    await share(lab, [BOB]);
    expect(stored).toEqual([EVE]);
    expect(notify).toHaveBeenCalledOnce();
    expect(lab.history.lastDone.value).toBeUndefined();
    expect(lab.project.value).toEqual({ shared_with: [EVE] });
  });

  test("is not taken back over a later change of another user", async () => {
    await share(lab, [BOB]);
    stored = [BOB, EVE];
    await lab.history.undo();
    expect(stored).toEqual([BOB, EVE]);
  });
});
