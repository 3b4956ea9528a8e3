/** Completion of pcap-filter expressions. */
import { compileProgram } from "@wirelab/engine/bpf/index";
import { describe, expect, test } from "vitest";
import { completionsAt, insertCompletion } from "../../../../page/src/packets/complete.ts";

const words = (text: string, addresses: readonly string[] = []) =>
  completionsAt(text, text.length, addresses).words.map(({ word }) => word);

describe("completions", () => {
  test("are protocols and qualifiers where an expression begins", () => {
    expect(words("ic")).toEqual(["icmp", "icmp6"]);
    expect(words("tcp and (ud")).toEqual(["udp"]);
    expect(words("not ")).toContain("arp");
  });

  test("are operators after an operand", () => {
    expect(words("icmp ")).toEqual(["and", "or"]);
    expect(words("host 10.0.0.1 o")).toEqual(["or"]);
  });

  test("are the addresses of the captures after host, and names of ports after port", () => {
    expect(words("host 10.", ["10.0.0.1", "10.0.0.2", "192.0.2.1"])).toEqual(["10.0.0.1", "10.0.0.2"]);
    expect(words("udp port d")).toEqual(["domain"]);
    expect(words("src ")).toEqual(["host", "net", "port"]);
    expect(words("net ")).toEqual([]);
  });

  test("replace the whole word at the cursor", () => {
    const text = "arp or tc and icmp";
    const completions = completionsAt(text, 9);
    expect(completions).toMatchObject({ start: 7, end: 9, words: [{ word: "tcp" }] });
    expect(insertCompletion(text, completions, "tcp")).toEqual({ text: "arp or tcp and icmp", cursor: 11 });
  });

  test("that are whole expressions compile", () => {
    const needsMore = /^(host|net|port|portrange|src|dst|ether|greater|less|len|proto|not)$/;
    const whole = words("").filter((word) => !needsMore.test(word));
    expect(whole.length).toBeGreaterThan(8);
    for (const word of whole) expect(() => compileProgram(word, "DLT_EN10MB")).not.toThrow();
    for (const port of words("port "))
      expect(() => compileProgram(`port ${port}`, "DLT_EN10MB")).not.toThrow();
  });
});
