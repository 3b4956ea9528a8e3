/** Shows the first request, which can be copied. */

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
