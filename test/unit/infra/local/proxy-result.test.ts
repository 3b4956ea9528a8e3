import { describe, expect, it } from "vitest";
import { readBufferedResult, readStreamHead } from "../../../../infra/local/proxy-result.ts";

describe("a function's result", () => {
  it("may have only a status", () => {
    expect(readBufferedResult('{"statusCode":"200"}')).toEqual({
      status: 200,
      headers: { "content-type": "application/json" },
      body: Buffer.alloc(0),
    });
  });

  it.each([204, 304])("with the status %i, which has no body, gets no content type", (statusCode) => {
    expect(readBufferedResult(JSON.stringify({ statusCode }))?.headers).toEqual({});
    expect(readStreamHead(JSON.stringify({ statusCode }))?.headers).toEqual({});
  });

  it("is decoded if isBase64Encoded is set", () => {
    expect(readBufferedResult('{"statusCode":200,"body":"AAH/","isBase64Encoded":true}')?.body).toEqual(
      Buffer.from([0, 1, 255]),
    );
    expect(readBufferedResult('{"statusCode":200,"body":"AAH/"}')?.body).toEqual(Buffer.from("AAH/"));
  });

  it("cannot set headers of length and connection, and some headers are renamed", () => {
    const headers = {
      "Content-Length": "5",
      "Transfer-Encoding": "chunked",
      Server: "x",
      "X-Number": 5,
      "X-Null": null,
    };

    expect(readBufferedResult(JSON.stringify({ statusCode: 200, headers }))?.headers).toEqual({
      "content-type": "application/json",
      "x-amzn-remapped-server": "x",
      "x-number": "5",
    });
  });

  it("merges single and multiple values of one name", () => {
    const result = { statusCode: 200, headers: { A: "1" }, multiValueHeaders: { a: ["2", "1"] } };

    expect(readBufferedResult(JSON.stringify(result))?.headers.a).toEqual(["2", "1"]);
  });
});

it("converts a streamed response's cookies to headers", () => {
  expect(readStreamHead('{"statusCode":200,"cookies":["a=1","b=2"]}')?.headers["set-cookie"]).toEqual([
    "a=1",
    "b=2",
  ]);
});
