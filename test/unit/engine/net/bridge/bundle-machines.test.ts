/** The state machines of a port in a bundle, one by one (IEEE 802.1AX-2014, 6.4.12 to 6.4.15). */

import { describe, expect, test } from "vitest";
import { actorOf, type Member, NO_PARTNER } from "../../../../../packages/engine/net/bridge/lacp/member.ts";
import { moveMuxes } from "../../../../../packages/engine/net/bridge/lacp/mux.ts";
import { takeTurn, updatePeriodic } from "../../../../../packages/engine/net/bridge/lacp/periodic.ts";
import { hear, updateReceive } from "../../../../../packages/engine/net/bridge/lacp/receive.ts";
import { selectMembers } from "../../../../../packages/engine/net/bridge/lacp/select.ts";
import { LACP_STATE, type LacpEnd } from "../../../../../packages/engine/wire/lacp.ts";

const SECOND_US = 1_000_000;
const BUNDLE_DEFAULTS = { mode: "active", rate: "slow", hash: "mac", fallback: false } as const;
const { activity, timeout, aggregation, synchronization, collecting, distributing } = LACP_STATE;

const makeMember = (port = 0, fields: Partial<Member> = {}): Member => ({
  port,
  bundle: { ...BUNDLE_DEFAULTS, ports: [0, 1] },
  key: 1,
  system: 0x0200_0000_0100,
  isUp: true,
  receive: "disabled",
  mux: "detached",
  selected: false,
  partner: NO_PARTNER,
  periodic: "none",
  needToTransmit: false,
  currentUntilUs: 0,
  periodicUs: 0,
  waitUntilUs: 0,
  sent: 0,
  sentSinceUs: 0,
  ...fields,
});

const end = (state: number, fields: Partial<LacpEnd> = {}): LacpEnd => ({
  systemPriority: 1,
  system: 0x0200_0000_0200,
  key: 9,
  portPriority: 1,
  port: 5,
  state,
  ...fields,
});

/** What the other end says, when it has heard the member. */
const pduOf = (member: Member, state: number) => ({ actor: end(state), partner: actorOf(member) });

describe("the receive machine", () => {
  test("of a port whose link comes up waits three seconds for a partner, then takes the defaults", () => {
    const member = makeMember();
    expect(updateReceive(member, 0)).toBe(true);
    expect(member).toMatchObject({ receive: "expired", partner: { state: timeout } });
    expect(updateReceive(member, 3 * SECOND_US - 1)).toBe(false);
    expect(updateReceive(member, 3 * SECOND_US)).toBe(true);
    expect(member).toMatchObject({ receive: "defaulted", partner: NO_PARTNER, selected: false });
    expect(updateReceive(member, 1000 * SECOND_US)).toBe(false);
  });

  test.each([
    ["slow", 90],
    ["fast", 3],
  ] as const)("keeps a partner %s: %i seconds, then asks for frames in quick succession", (rate, seconds) => {
    const member = makeMember(0, { bundle: { ...BUNDLE_DEFAULTS, ports: [0, 1], rate } });
    updateReceive(member, 0);
    hear(member, pduOf(member, activity | aggregation | synchronization), 0);
    expect(member).toMatchObject({ receive: "current", partner: { key: 9 } });
    expect(updateReceive(member, seconds * SECOND_US - 1)).toBe(false);
    expect(updateReceive(member, seconds * SECOND_US)).toBe(true);
    expect(member).toMatchObject({
      receive: "expired",
      partner: { state: activity | timeout | aggregation },
    });
  });

  test("unselects a port whose partner has become another, and keeps one whose partner has not", () => {
    const member = makeMember(0, { selected: true, partner: end(aggregation) });
    hear(member, pduOf(member, activity | aggregation), 0);
    expect(member.selected).toBe(true);
    hear(member, { actor: end(activity | aggregation, { port: 6 }), partner: actorOf(member) }, 0);
    expect(member.selected).toBe(false);
  });

  test("answers a partner that knows the port wrongly, and is in sync with none that does", () => {
    const member = makeMember();
    hear(member, { actor: end(activity | aggregation | synchronization), partner: NO_PARTNER }, 0);
    expect(member).toMatchObject({ needToTransmit: true, partner: { state: activity | aggregation } });
    member.needToTransmit = false;
    hear(member, pduOf(member, activity | aggregation | synchronization), 0);
    expect(member).toMatchObject({
      needToTransmit: false,
      partner: { state: activity | aggregation | synchronization },
    });
  });

  test("is in sync with no passive partner of a passive port: nothing would keep it so", () => {
    const member = makeMember(0, { bundle: { ...BUNDLE_DEFAULTS, ports: [0, 1], mode: "passive" } });
    hear(member, pduOf(member, aggregation | synchronization), 0);
    expect(member.partner.state).toBe(aggregation);
  });

  test("of a port without carrier is disabled, unselected and out of sync", () => {
    const member = makeMember(0, {
      isUp: false,
      receive: "current",
      selected: true,
      partner: end(synchronization),
    });
    expect(updateReceive(member, 0)).toBe(true);
    expect(member).toMatchObject({ receive: "disabled", selected: false, partner: { state: 0, key: 9 } });
    expect(updateReceive(member, 0)).toBe(false);
  });
});

describe("the periodic machine", () => {
  test("sends as often as the partner asks, at once when it begins to ask for more", () => {
    const member = makeMember(0, { partner: end(activity) });
    updatePeriodic(member, 0);
    expect(member).toMatchObject({ periodic: "slow", needToTransmit: false, periodicUs: 30 * SECOND_US });
    member.partner = end(activity | timeout);
    updatePeriodic(member, SECOND_US);
    expect(member).toMatchObject({ periodic: "fast", needToTransmit: true, periodicUs: 2 * SECOND_US });
    member.needToTransmit = false;
    expect(updatePeriodic(member, 2 * SECOND_US - 1)).toBe(false);
    expect(updatePeriodic(member, 2 * SECOND_US)).toBe(true);
    expect(member.needToTransmit).toBe(true);
  });

  test("of a passive port sends nothing until the partner is active", () => {
    const member = makeMember(0, {
      bundle: { ...BUNDLE_DEFAULTS, ports: [0, 1], mode: "passive" },
      needToTransmit: true,
    });
    updatePeriodic(member, 0);
    expect(member).toMatchObject({ periodic: "none", needToTransmit: false });
    member.partner = end(activity);
    updatePeriodic(member, 0);
    expect(member.periodic).toBe("slow");
    member.isUp = false;
    expect(updatePeriodic(member, 0)).toBe(true);
    expect(member.periodic).toBe("none");
  });

  test("three frames go in a second", () => {
    const member = makeMember();
    const at = (us: number): boolean => takeTurn(member, us);
    expect([at(10), at(20), at(30), at(40)]).toEqual([true, true, true, false]);
    expect([at(999_999), at(1_000_000)]).toEqual([false, true]);
  });
});

describe("the selection", () => {
  const heard = (port: number, partner = end(aggregation)): Member =>
    makeMember(port, { receive: "current", partner });
  const selected = (...members: Member[]): boolean[] => {
    selectMembers(members);
    return members.map((each) => each.selected);
  };

  test("takes the ports that lead where the first one leads", () => {
    expect(selected(heard(0), heard(1), heard(2, end(aggregation, { key: 8 })))).toEqual([true, true, false]);
    expect(selected(heard(0, end(aggregation, { system: 3 })), heard(1))).toEqual([true, false]);
  });

  test("keeps ports that are in use when an earlier port leads elsewhere", () => {
    const used = { ...heard(1), selected: true };
    expect(selected(heard(0, end(aggregation, { system: 3 })), used)).toEqual([false, true]);
  });

  test("takes no port whose partner does not aggregate, is not heard, or is of the same bundle", () => {
    const own = actorOf(makeMember(1));
    expect(selected(heard(0, end(activity)))).toEqual([false]);
    expect(selected(makeMember(0, { receive: "defaulted", partner: end(aggregation) }))).toEqual([false]);
    expect(selected(heard(0, { ...own, state: aggregation }))).toEqual([false]);
  });

  test("takes a port again only after its mux is detached", () => {
    const member = makeMember(0, { receive: "current", partner: end(aggregation), mux: "distributing" });
    expect(selected(member)).toEqual([false]);
    moveMuxes([member], 0);
    expect(selected(member)).toEqual([true]);
  });
});

describe("the mux machine", () => {
  const moved = (member: Member, nowUs = 0): string => {
    moveMuxes([member], nowUs);
    return member.mux;
  };

  test("waits two seconds, then follows the partner to distributing, one state at a time", () => {
    const member = makeMember(0, { selected: true, partner: end(aggregation) });
    expect(moved(member)).toBe("waiting");
    expect(member.needToTransmit).toBe(false);
    expect(moved(member, 2 * SECOND_US - 1)).toBe("waiting");
    expect(moved(member, 2 * SECOND_US)).toBe("attached");
    expect(member.needToTransmit).toBe(true);
    expect(moved(member)).toBe("attached");
    member.partner = end(aggregation | synchronization);
    expect(moved(member)).toBe("collecting");
    expect(moved(member)).toBe("collecting");
    member.partner = end(aggregation | synchronization | collecting | distributing);
    expect(moved(member)).toBe("distributing");
    expect(actorOf(member).state & (synchronization | collecting | distributing)).toBe(0x38);
  });

  test.each([
    ["distributing", synchronization, "collecting"],
    ["distributing", 0, "collecting"],
    ["collecting", 0, "attached"],
  ] as const)("from %s with the partner's bits %i goes to %s", (mux, state, next) => {
    expect(moved(makeMember(0, { selected: true, mux, partner: end(state) }))).toBe(next);
  });

  test.each(["waiting", "attached", "collecting", "distributing"] as const)(
    "of an unselected port goes from %s to detached",
    (mux) => {
      expect(moved(makeMember(0, { mux, partner: end(synchronization | collecting) }))).toBe("detached");
    },
  );

  test("attaches ports that wait together when the last one is ready", () => {
    const first = makeMember(0, { selected: true, mux: "waiting", waitUntilUs: 10 });
    const second = makeMember(1, { selected: true, mux: "waiting", waitUntilUs: 20 });
    moveMuxes([first, second], 15);
    expect([first.mux, second.mux]).toEqual(["waiting", "waiting"]);
    moveMuxes([first, second], 20);
    expect([first.mux, second.mux]).toEqual(["attached", "attached"]);
  });
});
