/** The verdict of a file that the lab wants from a node (`collect`). */
import { type Answer, type AskedFile, MAX_FILE_BYTES } from "../play/collect-files.ts";
import type { Status, Verdict } from "../report/report.ts";

export function judgeFile({ node, path, place, answer }: AskedFile): Verdict {
  const status = statusOf(answer);
  return {
    name: `collect ${node} ${path}`,
    kind: "collect",
    status,
    expected: `a file of at most ${MAX_FILE_BYTES} bytes`,
    got: describe(`/${path}`, node, answer),
    place,
    evidence: status === "passed" ? undefined : { packets: [], death: undefined },
  };
}

const statusOf = ({ kind }: Answer): Status =>
  kind === "content" ? "passed" : kind === "unanswered" ? "undecided" : "failed";

function describe(path: string, node: string, answer: Answer): string {
  switch (answer.kind) {
    case "content":
      return `${answer.data.length} bytes`;
    case "missing":
      return `${node} has no file ${path}`;
    case "special":
      return `${path} of ${node} is no regular file`;
    case "large":
      return `${path} of ${node} has ${answer.bytes} bytes`;
    case "unreadable":
      return `${path} of ${node} cannot be read: ${answer.why}`;
    case "off":
      return `${node} ${answer.why}`;
    case "unanswered":
      return `${node} has not answered when the run reached its limit of ${answer.limit}`;
  }
}
