/** Builds elements without markup in strings, so that nothing a player typed is ever read as HTML. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @typedef {Node | string | number | null | undefined | false} Child
 * @typedef {Record<string, any>} Props  `class`, `on` (listeners), `css` (CSS properties), `key` (keeps the focus over a redraw), attributes
 */

/**
 * Returns an HTML element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Props} [props] @param {...(Child | Child[])} children @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * Returns an SVG element.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Props} [props] @param {...(Child | Child[])} children @returns {SVGElementTagNameMap[T]}
 */
export function s(tag, props = {}, ...children) {
  return fill(/** @type {SVGElementTagNameMap[T]} */ (document.createElementNS(SVG, tag)), props, children);
}

/** @template {HTMLElement | SVGElement} E @param {E} element @param {Props} props @param {(Child | Child[])[]} children @returns {E} */
function fill(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    else if (name === "on") for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
    else if (name === "css") for (const [property, set] of Object.entries(value)) element.style.setProperty(property, String(set));
    else if (name === "key") element.setAttribute("data-key", value);
    else if (name === "value" || name === "checked") /** @type {any} */ (element)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  return element;
}

/** @param {any} child @returns {Node | string} */
const asNode = (child) => (child instanceof Node ? child : String(child));

/**
 * Puts new children into an element; the focus stays on the element with the same key, and the scroll where it was.
 * @param {Element} place @param {...(Child | Child[])} children
 */
export function redraw(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
  const scroll = place.scrollTop;
  place.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false).map(asNode));
  place.scrollTop = scroll;
  if (focused) /** @type {HTMLElement | null} */ (place.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
}

/**
 * Returns a button; `icon` is drawn before the text.
 * @param {string} text @param {(event: Event) => void} press @param {Props & {icon?: Node | null}} [props]
 */
export function button(text, press, props = {}) {
  const { icon: drawn = null, class: kind = "button", ...rest } = props;
  return h("button", { type: "button", class: kind, on: { click: press }, ...rest }, drawn, text && h("span", {}, text));
}

/** @param {string} text @param {Node} drawn @param {(event: Event) => void} press @param {Props} [props] */
export function iconButton(text, drawn, press, props = {}) {
  return h("button", { type: "button", class: "icon-button", "aria-label": text, title: text, on: { click: press }, ...props }, drawn);
}

/** Whether the player asked the system for less motion. */
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
