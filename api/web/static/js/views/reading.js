/** One reading: the photo with its outlines, the total, and a panel for points, questions, findings and options. */

import { button, h, iconButton, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { notice, problemText, tellProblem } from "../notices.js";
import { OpenReading } from "../open_reading.js";
import { go } from "../router.js";
import { ServiceProblem } from "../service.js";
import { cardsPanel } from "./cards.js";
import { checksPanel } from "./checks.js";
import { optionsPanel } from "./options.js";
import { PhotoPane } from "./photo_pane.js";
import { questionsPanel } from "./questions.js";
import { resultMenu } from "./result.js";
import { scoreStrip } from "./score_strip.js";
import { movePanel, tilePanel, touchPanel, addPanel } from "./tile.js";

/** @typedef {import("../types.js").Point} Point */
/**
 * @typedef {{name: "look"} | {name: "add"} | {name: "touch", tile: string} | {name: "move", tile: string, shift: Point, angle: number}} Mode
 * @typedef {"cards" | "questions" | "checks" | "options"} Tab
 * @typedef {object} Desk  what the panels work with
 * @property {OpenReading} open @property {PhotoPane} pane @property {Mode} mode @property {Tab} tab
 * @property {(mode: Mode) => void} setMode @property {(tab: Tab) => void} setTab @property {() => void} draw
 * @property {string | null} asking  the key of the question on the screen
 * @property {boolean} allQuestions  whether questions without points at stake are asked too
 */

/** @param {HTMLElement} place @param {string} id */
export async function readingView(place, id) {
  place.append(h("p", { class: "booting", role: "status" }, t("reading.opening")));
  let open;
  try {
    open = await OpenReading.open(id);
  } catch (error) {
    place.replaceChildren(notFound(error));
    return undefined;
  }
  if (open.reading.status !== "ready" || !open.reading.report) {
    place.replaceChildren(unreadable(open));
    return undefined;
  }
  return showReading(place, open);
}

/** @param {HTMLElement} place @param {OpenReading} open */
function showReading(place, open) {
  const score = h("section", { class: "score-strip" });
  const heard = h("p", { class: "heard", role: "status" });
  const panel = h("section", { class: "panel", "aria-label": t("reading.panel") });
  const tabs = h("nav", { class: "tabs", "aria-label": t("reading.parts") });
  const bar = h("header", { class: "bar" });
  /** @type {Desk} */
  const desk = {
    open,
    pane: /** @type {PhotoPane} */ (/** @type {unknown} */ (null)),
    mode: { name: "look" },
    asking: null,
    allQuestions: false,
    tab: open.questionsThatCount.length && !open.offline ? "questions" : "cards",
    setMode: (mode) => { desk.mode = mode; draw(); panel.scrollTop = 0; },
    setTab: (tab) => { desk.tab = tab; desk.mode = { name: "look" }; open.choose(null); panel.scrollTop = 0; },
    draw: () => draw(),
  };
  desk.pane = new PhotoPane(desk);
  const draw = () => {
    desk.pane.draw();
    redraw(bar, ...barParts(desk, score));
    scoreStrip(score, heard, open);
    redraw(panel, ...[panelOf(desk)].flat());
    redraw(tabs, ...tabButtons(desk));
    place.classList.toggle("with-tile", desk.mode.name !== "look" || open.chosen !== null);
  };
  open.addEventListener("change", draw);
  open.addEventListener("problem", (event) => {
    const error = /** @type {CustomEvent} */ (event).detail;
    if (error.offline) notice(t("problem.offline_change"), "problem");
    else tellProblem(error);
  });
  const onKey = (/** @type {KeyboardEvent} */ event) => shortcut(event, desk);
  addEventListener("keydown", onKey);
  place.replaceChildren(heard, bar, h("main", { class: "desk" }, h("div", { class: "photo-side" }, desk.pane.root), h("div", { class: "panel-side" }, panel, tabs)));
  draw();
  return () => {
    removeEventListener("keydown", onKey);
    open.close();
  };
}

/** @param {Desk} desk @param {HTMLElement} score */
function barParts(desk, score) {
  const { open } = desk;
  const { undo, redo } = open.reading.history;
  return [
    iconButton(t("back"), icon("back"), () => go("")),
    h("h1", { class: "heard" }, t("reading.heading")),
    score,
    open.offline && h("span", { class: "chip warn", role: "status" }, icon("offline"), h("span", {}, t("offline.chip"))),
    iconButton(t("undo"), icon("undo"), () => void open.step("undo"), { key: "undo", disabled: undo === 0 || open.busy }),
    iconButton(t("redo"), icon("redo"), () => void open.step("redo"), { key: "redo", disabled: redo === 0 || open.busy }),
    resultMenu(desk),
  ];
}

/** @param {Desk} desk */
function panelOf(desk) {
  if (desk.mode.name === "move") return movePanel(desk);
  if (desk.mode.name === "touch") return touchPanel(desk);
  if (desk.mode.name === "add") return addPanel(desk);
  if (desk.open.chosen) return tilePanel(desk);
  return { cards: cardsPanel, questions: questionsPanel, checks: checksPanel, options: optionsPanel }[desk.tab](desk);
}

/** @param {Desk} desk */
function tabButtons(desk) {
  const { open } = desk;
  const faults = open.report.checks.filter((check) => check.status === "violation").length;
  /** @type {[Tab, import("../icons.js").IconName, number, string][]} */
  const tabs = [
    ["cards", "star", 0, ""],
    ["questions", "ask", open.questionsThatCount.length, "asked"],
    ["checks", faults ? "warning" : "check", open.report.checks.length, faults ? "faulty" : "asked"],
    ["options", "more", 0, ""],
  ];
  return tabs.map(([tab, drawn, count, kind]) =>
    h("button", {
      type: "button", class: "tab", key: `tab-${tab}`, "aria-current": desk.tab === tab && !open.chosen ? "true" : null,
      "aria-label": count ? t(`tab.${tab}.count`, { n: count }) : t(`tab.${tab}`), on: { click: () => desk.setTab(tab) },
    }, icon(drawn), h("span", {}, t(`tab.${tab}`)), count > 0 && h("b", { class: `count ${kind}` }, count)));
}

/** Ctrl+Z and Ctrl+Y; Escape leaves what is open. @param {KeyboardEvent} event @param {Desk} desk */
function shortcut(event, desk) {
  const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  const modal = document.querySelector("dialog[open]");
  if (typing || modal) return;
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && key === "z") {
    event.preventDefault();
    void desk.open.step(event.shiftKey ? "redo" : "undo");
  } else if ((event.ctrlKey || event.metaKey) && key === "y") {
    event.preventDefault();
    void desk.open.step("redo");
  } else if (event.key === "Escape") {
    if (desk.mode.name !== "look") desk.setMode({ name: "look" });
    else desk.open.choose(null);
  }
}

/** @param {unknown} error */
function notFound(error) {
  const gone = error instanceof ServiceProblem && [401, 403, 404, 410].includes(error.status);
  return h("main", { class: "empty" }, icon("picture"), h("h1", {}, t(gone ? "reading.gone" : "reading.not_opened")),
    h("p", {}, gone ? t("reading.gone_why") : problemText(error)), button(t("home"), () => go(""), { class: "button primary" }));
}

/** @param {OpenReading} open */
function unreadable(open) {
  return h("main", { class: "empty" }, icon("picture"), h("h1", {}, t("reading.failed")),
    h("p", {}, open.reading.problem?.detail ?? t("reading.failed_why")), button(t("home.take"), () => go(""), { class: "button primary", icon: icon("camera") }));
}
