/** Which view the address names: `#/reading/ID`, `#/table/ID`, `#/setup` and so on. */

/** @typedef {(place: HTMLElement, ...parts: string[]) => void | (() => void) | Promise<void | (() => void)>} View  draws itself; returns what to do when left */

/** @type {Record<string, View>} */
let views = {};
/** @type {(() => void) | void} */
let leave;
let visit = 0;

/** @param {string} address such as "reading/abc" */
export function go(address) {
  const hash = `#/${address}`;
  if (location.hash === hash) void show();
  else location.hash = hash;
}

/** Starts showing views. @param {Record<string, View>} known */
export function startRouter(known) {
  views = known;
  addEventListener("hashchange", () => void show());
  void show();
}

/** Draws the current view again, such as after a change of language. */
export async function show() {
  const [name = "", ...parts] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const mine = (visit += 1);
  leave?.();
  leave = undefined;
  const place = document.createElement("div");
  place.className = `view view-${name || "home"}`;
  document.getElementById("app")?.replaceChildren(place);
  scrollTo(0, 0);
  const left = await (views[name] ?? views[""])(place, ...parts);
  if (mine === visit) leave = left;
  else left?.();
}
