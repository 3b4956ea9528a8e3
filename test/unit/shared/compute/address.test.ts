import { describe, expect, test } from "vitest";
import { isCallable } from "../../../../functions/shared/compute/address.ts";

const CALLABLE = [
  "192.0.2.7",
  "10.0.0.5",
  "172.16.3.4",
  "192.168.1.1",
  "2001:db8::1",
  "fd12:3456::1",
  "::ffff:10.0.0.5",
];

const REFUSED = [
  "0.0.0.0",
  "0.1.2.3",
  "169.254.169.254",
  "169.254.170.2",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
  "::",
  "fe80::1",
  "fe80::1%eth0",
  "ff02::1",
  "fd00:ec2::254",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "::ffff:0:169.254.169.254",
  "::169.254.169.254",
  "64:ff9b::169.254.169.254",
  "2002:a9fe:a9fe::1",
  "no address",
  "",
];

const LOOPBACK = [
  "127.0.0.1",
  "127.9.9.9",
  "::1",
  "::ffff:127.0.0.1",
  "0:0:0:0:0:ffff:7f00:1",
  "64:ff9b::7f00:1",
];

describe("an address of a compute", () => {
  test.each(CALLABLE)("%s may be called", (address) => {
    expect(isCallable(address, false)).toBe(true);
    expect(isCallable(address, true)).toBe(true);
  });

  test.each(REFUSED)("%s is never called", (address) => {
    expect(isCallable(address, false)).toBe(false);
    expect(isCallable(address, true)).toBe(false);
  });

  test.each(LOOPBACK)("%s is called only by a service on one machine", (address) => {
    expect(isCallable(address, false)).toBe(false);
    expect(isCallable(address, true)).toBe(true);
  });
});
