import { expect, test } from "vitest";
import { attachment } from "../../../../functions/shared/edge/http/attachment.ts";

test.each([
  ["a.pcap", `attachment; filename="a.pcap"; filename*=UTF-8''a.pcap`],
  ['q"\\%.pcap', `attachment; filename="q___.pcap"; filename*=UTF-8''q%22%5C%25.pcap`],
  ["é'(*).pcap", `attachment; filename="_'(*).pcap"; filename*=UTF-8''%C3%A9%27%28%2A%29.pcap`],
])("%s has a file name for old and new clients", (name, header) => {
  expect(attachment(name)).toBe(header);
});
