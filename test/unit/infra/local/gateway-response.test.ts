import { describe, expect, it } from "vitest";
import { makeFaultRenderer } from "../../../../infra/local/gateway-response.ts";

const context = { requestId: "id-1", path: '/v2/"x"' };

describe("a fault of the gateway", () => {
  it("has AWS's message if the stack has no gateway response", () => {
    const render = makeFaultRenderer([]);

    expect(render("MISSING_AUTHENTICATION_TOKEN", context)).toEqual({
      status: 403,
      headers: { "content-type": "application/json" },
      body: '{"message":"Missing Authentication Token"}',
    });
    expect(render("FUNCTION_FAILURE", context).status).toBe(502);
  });

  it("takes its status and message from the stack's response of its type", () => {
    const render = makeFaultRenderer([
      {
        responseType: "REQUEST_TOO_LARGE",
        statusCode: 413,
        contentType: "text/plain",
        template:
          "$context.error.message ($context.requestId, $context.error.responseType, $context.unknown)",
        headers: { "x-a": "'b'", "x-id": "context.requestId", "x-text": "'context.requestId'" },
      },
    ]);

    expect(render("REQUEST_TOO_LARGE", context)).toEqual({
      status: 413,
      headers: { "content-type": "text/plain", "x-a": "b", "x-id": "id-1", "x-text": "context.requestId" },
      body: "Request Too Large (id-1, REQUEST_TOO_LARGE, )",
    });
  });

  it("falls back to the stack's response for its class", () => {
    const render = makeFaultRenderer([
      { responseType: "DEFAULT_5XX", template: '{"text":$context.error.messageString}', headers: {} },
      { responseType: "INTEGRATION_TIMEOUT", statusCode: 599, headers: {} },
    ]);

    expect(render("FUNCTION_FAILURE", context)).toMatchObject({
      status: 502,
      body: '{"text":"Internal server error"}',
    });
    expect(render("INTEGRATION_TIMEOUT", context)).toMatchObject({
      status: 599,
      body: '{"text":"Endpoint request timed out"}',
    });
  });
});
