/** The election of RFC 2328, section 9.4. */

import { describe, expect, it } from "vitest";
import { type Candidate, elect } from "../../../../../packages/engine/routing/ospf/election.ts";

const router = (id: number, fields: Partial<Candidate> = {}): Candidate => ({
  id,
  address: 100 + id,
  priority: 1,
  designated: 0,
  backup: 0,
  ...fields,
});

describe("an election", () => {
  it("without claims makes the highest id the designated router, and the next one its backup", () => {
    expect(elect(router(1), [router(2), router(3)])).toEqual({ designated: 103, backup: 103 });
    expect(elect(router(3), [router(1), router(2)])).toEqual({ designated: 103, backup: 102 });
  });

  it("prefers the priority to the id", () => {
    const others = [router(1, { priority: 9, backup: 101 }), router(3)];
    expect(elect(router(2), others)).toEqual({ designated: 101, backup: 101 });
  });

  it("leaves out routers of priority 0", () => {
    expect(elect(router(1), [router(9, { priority: 0, designated: 109 })])).toEqual({
      designated: 101,
      backup: 0,
    });
    expect(elect(router(1, { priority: 0 }), [router(9, { priority: 0 })])).toEqual({
      designated: 0,
      backup: 0,
    });
  });

  it("keeps a designated router that is there, whatever the priority of a new router", () => {
    const others = [router(1, { designated: 101 }), router(2, { backup: 102, designated: 101 })];
    expect(elect(router(9, { priority: 200 }), others)).toEqual({ designated: 101, backup: 102 });
  });

  it("makes the backup the designated router when this has gone, and elects another backup", () => {
    const own = router(2, { designated: 101, backup: 102 });
    expect(elect(own, [router(3, { designated: 101, backup: 102 })])).toEqual({
      designated: 102,
      backup: 103,
    });
  });

  it("chooses of two that both claim to be the designated router", () => {
    const others = [router(1, { designated: 101 }), router(2, { designated: 102 })];
    expect(elect(router(3), others).designated).toBe(102);
  });
});
