/**
 * xterm.js writes its styles into `style` elements, which the page's Content Security Policy forbids. It takes a document of the caller's
 * (`documentOverride`): this one makes elements whose text becomes a constructed style sheet, which the policy allows.
 */
function makeStyleElement(): HTMLElement {
  const element = document.createElement("span");
  element.hidden = true;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  let text = "";
  const content = {
    get: () => text,
    set(value: string) {
      text = value;
      sheet.replaceSync(value);
    },
  };
  Object.defineProperties(element, { textContent: content, innerText: content });
  Object.defineProperty(element, "sheet", { get: () => sheet });
  const remove = element.remove.bind(element);
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    remove();
  };
  return element;
}

/** The policy forbids the attribute `style`, and allows the property. */
function makeElement(element: HTMLElement): HTMLElement {
  const setAttribute = element.setAttribute.bind(element);
  element.setAttribute = (name, value) => {
    if (name === "style") element.style.cssText = value;
    else setAttribute(name, value);
  };
  return element;
}

/** Returns the document, but with style elements that the policy allows. */
export const documentWithoutStyleElements = (): Document =>
  new Proxy(document, {
    get(target, key) {
      if (key === "createElement")
        return (name: string, options?: ElementCreationOptions) =>
          name === "style" ? makeStyleElement() : makeElement(target.createElement(name, options));
      const value = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

/** Calls `open`, during which xterm.js also makes a style element with the page's own document. */
export function withoutStyleElements(open: () => void): void {
  document.createElement = ((name: string, options?: ElementCreationOptions) =>
    name === "style"
      ? makeStyleElement()
      : Document.prototype.createElement.call(document, name, options)) as typeof document.createElement;
  try {
    open();
  } finally {
    Reflect.deleteProperty(document, "createElement");
  }
}
