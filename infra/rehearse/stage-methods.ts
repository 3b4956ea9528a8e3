/**
 * Settings of a stage for single methods: API Gateway refuses a path and a method that the API does not have.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-properties-apigateway-stage-methodsetting.html
 */
import { type Json, listOf, ofType, type Problem, type StackTemplate } from "./template.ts";

const ANY = "x-amazon-apigateway-any-method";

export const checkStageMethods = (stack: StackTemplate): readonly Problem[] =>
  ofType(stack, "AWS::ApiGateway::Stage").flatMap(([logicalId, { RestApiId, MethodSettings }]) => {
    const api = stack.resources[(RestApiId as { Ref?: string } | undefined)?.Ref ?? ""];
    const { paths } = (api?.Properties?.Body ?? {}) as { paths?: Record<string, Json> };
    if (paths === undefined) return [];
    return listOf(MethodSettings).flatMap((setting) => {
      const { ResourcePath, HttpMethod } = setting as { ResourcePath: string; HttpMethod: string };
      // A stage writes a slash within the path as in a JSON pointer.
      const path = `/${ResourcePath.slice(1).replace(/^~1/, "").replaceAll("~1", "/")}`;
      if (path === "/*") return [];
      const methods = Object.keys(paths[path] ?? {});
      if (HttpMethod === "*" ? methods.length > 0 : methods.includes(HttpMethod.toLowerCase())) return [];
      if (methods.includes(ANY)) return [];
      return [
        {
          logicalId,
          text: `has settings for ${HttpMethod} ${path}, which the API's body does not have: API Gateway refuses the stage`,
        },
      ];
    });
  });
