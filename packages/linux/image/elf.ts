/** What the image builder needs of ELF files (System V ABI; little endian, 32 bit): the libraries of a program, and the data of a kernel module. */

const SHT_STRTAB = 3;
const SHT_DYNAMIC = 6;
const DT_NEEDED = 1;

interface Section {
  readonly name: string;
  readonly type: number;
  readonly link: number;
  readonly data: Uint8Array;
}

export const isElf = (file: Uint8Array): boolean =>
  file[0] === 0x7f && file[1] === 0x45 && file[2] === 0x4c && file[3] === 0x46;

/** @returns the names of the shared libraries that a program or library is linked with. */
export function neededLibraries(file: Uint8Array): string[] {
  const sections = sectionsOf(file);
  const dynamic = sections.find(({ type }) => type === SHT_DYNAMIC);
  if (dynamic === undefined) return [];
  const strings = sections[dynamic.link]!.data;
  const view = viewOf(dynamic.data);
  const names: string[] = [];
  for (let at = 0; at + 8 <= view.byteLength; at += 8)
    if (view.getUint32(at, true) === DT_NEEDED) names.push(textAt(strings, view.getUint32(at + 4, true)));
  return names;
}

/** @returns the names of the modules that a kernel module needs, as its section `.modinfo` lists them. */
export function neededModules(file: Uint8Array): string[] {
  const info = sectionsOf(file).find(({ name }) => name === ".modinfo");
  const entries = new TextDecoder().decode(info?.data ?? new Uint8Array()).split("\0");
  const depends = entries.find((entry) => entry.startsWith("depends="))?.slice("depends=".length);
  return depends ? depends.split(",") : [];
}

function sectionsOf(file: Uint8Array): Section[] {
  const view = viewOf(file);
  const [tableAt, size, count, namesIndex] = [
    view.getUint32(32, true),
    view.getUint16(46, true),
    view.getUint16(48, true),
    view.getUint16(50, true),
  ];
  const raw = Array.from({ length: count }, (_, index) => {
    const at = tableAt + index * size;
    const [nameAt, type, from, length, link] = [0, 4, 16, 20, 24].map((offset) =>
      view.getUint32(at + offset, true),
    ) as [number, number, number, number, number];
    return { nameAt, type, link, data: file.subarray(from, from + length) };
  });
  const names = raw[namesIndex];
  if (names?.type !== SHT_STRTAB) return [];
  return raw.map((section) => ({ ...section, name: textAt(names.data, section.nameAt) }));
}

function textAt(strings: Uint8Array, at: number): string {
  return new TextDecoder().decode(strings.subarray(at, strings.indexOf(0, at)));
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new DataView(buffer, byteOffset, byteLength);
