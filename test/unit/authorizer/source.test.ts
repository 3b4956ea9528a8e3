import { expect, test } from "vitest";
import { networkOf, sourceOf } from "../../../functions/authorizer/source.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:0002::9", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s counts as %s", (address, source) => expect(sourceOf(address)).toBe(source));

test.each([
  ["203.0.113.7", "203.0.113.0/24"],
  ["::ffff:203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
  ["2001:DB8:0001::9", "2001:db8:1::/48"],
  ["::1", "0:0:0::/48"],
  ["test-invoke-source-ip", "test-invoke-source-ip"],
])("%s is in the network %s", (address, network) => expect(networkOf(address)).toBe(network));
