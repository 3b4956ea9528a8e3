import { expect, test } from "vitest";
import { isElf, neededLibraries, neededModules } from "../../../packages/linux/image/elf.ts";

interface Section {
  readonly name: string;
  readonly type: number;
  readonly link?: number;
  readonly data: Uint8Array;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** A file of 32 bits with these sections, after the empty section 0; the last one has the names. */
function makeElf(sections: readonly Section[]): Uint8Array {
  const all: Section[] = [{ name: "", type: 0, data: new Uint8Array() }, ...sections];
  const names = `\0${all.map(({ name }) => `${name}\0`).join("")}.names\0`;
  all.push({ name: ".names", type: 3, data: bytes(names) });
  const file = new Uint8Array(4_096);
  const view = new DataView(file.buffer);
  file.set([0x7f, 0x45, 0x4c, 0x46, 1, 1]);
  const tableAt = 64;
  view.setUint32(32, tableAt, true);
  view.setUint16(46, 40, true);
  view.setUint16(48, all.length, true);
  view.setUint16(50, all.length - 1, true);
  let at = tableAt + all.length * 40;
  for (const [index, { name, type, link = 0, data }] of all.entries()) {
    const header = tableAt + index * 40;
    view.setUint32(header, names.indexOf(`\0${name}\0`) + 1, true);
    view.setUint32(header + 4, type, true);
    view.setUint32(header + 16, at, true);
    view.setUint32(header + 20, data.length, true);
    view.setUint32(header + 24, link, true);
    file.set(data, at);
    at += data.length;
  }
  return file;
}

test("the libraries of a program are those of its dynamic section", () => {
  const strings = bytes("\0libc.so.6\0libm.so.6\0");
  const dynamic = new Uint8Array(new Uint32Array([1, 1, 14, 5, 1, 11, 0, 0]).buffer);
  const file = makeElf([
    { name: ".dynamic", type: 6, link: 2, data: dynamic },
    { name: ".dynstr", type: 3, data: strings },
  ]);
  expect(neededLibraries(file)).toEqual(["libc.so.6", "libm.so.6"]);
});

test("a static program needs none", () => {
  expect(neededLibraries(makeElf([]))).toEqual([]);
});

test("a kernel module lists what it depends on", () => {
  const info = (text: string) => makeElf([{ name: ".modinfo", type: 1, data: bytes(text) }]);
  expect(neededModules(info("license=GPL\0depends=garp,mrp\0name=8021q\0"))).toEqual(["garp", "mrp"]);
  expect(neededModules(info("license=GPL\0depends=\0"))).toEqual([]);
});

test("an ELF file is recognized by its first bytes", () => {
  expect(isElf(makeElf([]))).toBe(true);
  expect(isElf(bytes("#!/bin/sh"))).toBe(false);
});
