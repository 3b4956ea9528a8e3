/** Starts Swagger UI with the service's OpenAPI document, and with a search that reads more than tags. */

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
