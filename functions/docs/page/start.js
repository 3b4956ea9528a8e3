/**
 * Shows the first request, which can be copied, and starts Swagger UI with the service's OpenAPI document, and with a search that reads more
 * than tags.
 */

const PLACEHOLDER = "Search path, method, summary or operation id";

const textOf = (entry) =>
  [
    entry.get("method"),
    entry.get("path"),
    entry.getIn(["operation", "summary"]),
    entry.getIn(["operation", "operationId"]),
  ]
    .join(" ")
    .toLowerCase();

/** Keeps the operations that hold every word of the phrase, or whose tag is the phrase, and the tags that have some left. */
function opsFilter(taggedOperations, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (entry) => words.every((word) => textOf(entry).includes(word));
  return taggedOperations
    .map((tag, name) =>
      words.length === 1 && name.toLowerCase() === words[0]
        ? tag
        : tag.update("operations", (operations) => operations.filter(matches)),
    )
    .filter((tag) => tag.get("operations").size > 0);
}

/** Replaces Swagger UI's filter, which compares the phrase with the names of tags only. */
const search = ({ React: { createElement } }) => ({
  fn: { opsFilter },
  components: {
    FilterContainer: ({ layoutSelectors, layoutActions }) => {
      const phrase = layoutSelectors.currentFilter();
      return createElement(
        "div",
        { className: "filter wrapper" },
        createElement("input", {
          className: "operation-filter-input",
          type: "search",
          placeholder: PLACEHOLDER,
          "aria-label": PLACEHOLDER,
          value: typeof phrase === "string" ? phrase : "",
          onChange: ({ target }) => layoutActions.updateFilter(target.value),
        }),
      );
    },
  },
});

globalThis.SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#page",
  deepLinking: true,
  // Shows `x-role`.
  showExtensions: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  filter: true,
  plugins: [search],
  // By default it sends the document's address to a validator elsewhere.
  validatorUrl: null,
});

/** How curl sends the credentials of callers, by the way in which they sign in. */
const CREDENTIALS = {
  none: "",
  basic: "-u NAME:PASSWORD ",
  jwt: '-H "Authorization: Bearer $TOKEN" ',
  iam: '--aws-sigv4 "aws:amz:$AWS_REGION:execute-api" -u "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" ',
};

const request = document.getElementById("request");
const copy = document.getElementById("copy");

const showRequest = (mode) => {
  const address = new URL("projects", document.baseURI);
  request.textContent = `curl ${CREDENTIALS[mode] ?? ""}-d '{"name": "First lab"}' ${address}`;
};
showRequest("none");
fetch("page/sign-in.json")
  .then((response) => response.json())
  .then(({ mode }) => showRequest(mode))
  .catch(() => {});

copy.addEventListener("click", async () => {
  getSelection().selectAllChildren(request);
  // A page without TLS has no clipboard, and a browser may refuse it: then the text is selected.
  const isCopied = await navigator.clipboard?.writeText(request.textContent).then(
    () => true,
    () => false,
  );
  if (isCopied) copy.textContent = "Copied";
});
