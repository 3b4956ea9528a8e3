/** Numbers of parts in words. */

const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

/** `3 devices, 1 link` */
export const sizeInWords = (nodes: number, links: number): string =>
  `${counted(nodes, "device")}, ${counted(links, "link")}`;
