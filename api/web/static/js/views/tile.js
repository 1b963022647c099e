/** One tile: what it is and counts for; another kind, move, turn, touch, remove; and adding a missed one. */

import { badge, categoryName } from "../categories.js";
import { cardName, categoryOf, kindName, kindOf } from "../catalogue.js";
import { closeup } from "../closeup.js";
import { button, h, iconButton } from "../dom.js";
import { areaCentroid, newFootprint } from "../geometry.js";
import { percent, t } from "../i18n.js";
import { icon } from "../icons.js";
import { notice } from "../notices.js";
import { checkSentence, tilesText } from "../sentences.js";
import { pickKind } from "./kind_picker.js";

/** @typedef {import("./reading.js").Desk} Desk @typedef {import("../types.js").Tile} Tile @typedef {import("../types.js").Point} Point @typedef {import("../types.js").Correction} Correction */

/** @param {Desk} desk */
export function tilePanel(desk) {
  const { open } = desk;
  const tile = /** @type {Tile} */ (open.tile(open.chosen));
  const lines = open.report.objectives.filter((line) => line.sets.some((set) => set.tiles.includes(tile.id)));
  const faults = open.report.checks.filter((check) => check.tiles.includes(tile.id));
  return [
    h("header", { class: "tile-head" },
      h("div", { class: "tile-picture" }, closeup(desk.pane.surface, open.board, [tile.id], "")),
      h("div", {}, h("h2", {}, kindName(tile.kind)), h("p", { class: "tile-facts" }, badge(categoryOf(tile.kind)), factsOf(tile))),
      iconButton(t("close"), icon("close"), () => open.choose(null))),
    ...faults.map((check) => h("p", { class: "fault-line" }, checkSentence(check, open.board))),
    h("div", { class: "tile-actions" },
      button(t("tile.wrong_kind"), () => void changeKind(desk, tile), { class: "button primary", icon: icon("ask"), key: "change-kind" }),
      tile.footprint && desk.pane.surface.toMm && button(t("tile.move"), () => startMove(desk, tile), { icon: icon("move"), key: "move" }),
      button(t("tile.remove"), () => void open.correct([{ do: "remove_tile", tile: tile.id }]).then((done) => done && notice(t("tile.removed"))), { icon: icon("trash"), key: "remove" })),
    h("h3", {}, t("tile.counts_in")),
    lines.length
      ? h("ul", { class: "chips" }, ...lines.map((line) => h("li", {}, h("button", { type: "button", class: "chip", on: { click: () => { desk.setTab("cards"); open.light(line.id, line.sets.flatMap((set) => set.tiles)); } } }, cardName(line.id), h("b", {}, line.points ?? "–")))))
      : h("p", { class: "hint" }, t("tile.counts_nowhere")),
    h("h3", {}, t("tile.touches")),
    touching(desk, tile),
  ];
}

/** @param {Tile} tile */
function factsOf(tile) {
  const facts = [categoryName(categoryOf(tile.kind)), t(`shape.${kindOf(tile.kind)?.shape ?? "round"}`)];
  if (typeof tile.visible === "number") facts.push(t("tile.visible", { share: percent(tile.visible) }));
  if (typeof tile.confidence === "number") facts.push(t("tile.sure", { share: percent(tile.confidence) }));
  return facts.join(" · ");
}

/** @param {Desk} desk @param {Tile} tile */
async function changeKind(desk, tile) {
  const asked = desk.open.report.questions.find((question) => question.about === "kind" && question.tiles[0] === tile.id);
  const likely = asked?.alternatives.map((way) => way[0]?.kind).filter(Boolean) ?? [];
  const kind = await pickKind({ likely, now: tile.kind });
  if (kind && kind !== tile.kind) await desk.open.correct([{ do: "set_kind", tile: tile.id, kind }]);
}

/** The tiles that touch this one, with how they lie. @param {Desk} desk @param {Tile} tile */
function touching(desk, tile) {
  const { open } = desk;
  const partners = (open.board.contacts ?? []).filter((pair) => pair.includes(tile.id)).map(([a, b]) => (a === tile.id ? b : a));
  return h("ul", { class: "touching" },
    ...partners.map((other) => h("li", {},
      badge(categoryOf(open.tile(other)?.kind ?? "")), h("span", { class: "grow" }, tilesText(open.board, [other])),
      relationSelect(desk, tile.id, other))),
    h("li", {}, button(t("tile.touch_more"), () => desk.setMode({ name: "touch", tile: tile.id }), { class: "button quiet", icon: icon("touch"), key: "touch-more" })));
}

/** @param {Desk} desk @param {string} tile @param {string} other */
function relationSelect(desk, tile, other) {
  const { over } = desk.open.board;
  const now = over.some(([upper, lower]) => upper === tile && lower === other) ? "above" : over.some(([upper, lower]) => upper === other && lower === tile) ? "below" : "beside";
  const select = h("select", { "aria-label": t("tile.relation", { other: tilesText(desk.open.board, [other]) }), key: `relation-${other}` },
    ...["beside", "above", "below", "apart"].map((value) => h("option", { value, selected: value === now }, t(`relation.${value}`))));
  select.addEventListener("change", () => void desk.open.correct(relation(tile, other, now, select.value)));
  return select;
}

/** @param {string} tile @param {string} other @param {string} now @param {string} wanted @returns {Correction[]} */
function relation(tile, other, now, wanted) {
  if (wanted === "apart") return [{ do: "set_contact", a: tile, b: other, touching: false }];
  if (wanted === "above") return [{ do: "set_over", upper: tile, lower: other, stacked: true }];
  if (wanted === "below") return [{ do: "set_over", upper: other, lower: tile, stacked: true }];
  return now === "beside" ? [] : [{ do: "set_over", upper: tile, lower: other, stacked: false }];
}

/** @param {Desk} desk */
export function touchPanel(desk) {
  const tile = desk.mode.name === "touch" ? desk.mode.tile : "";
  desk.pane.onTouch = (other) => {
    if (!other || other === tile) return;
    desk.setMode({ name: "look" });
    void desk.open.correct([{ do: "set_contact", a: tile, b: other, touching: true }]);
  };
  return [
    h("h2", {}, t("touch.heading", { tile: tilesText(desk.open.board, [tile]) })),
    h("p", { class: "hint" }, icon("touch"), t("touch.how")),
    button(t("cancel"), () => desk.setMode({ name: "look" }), { key: "cancel" }),
  ];
}

/** @param {Desk} desk */
export function addPanel(desk) {
  desk.pane.onPlace = (at) => void addAt(desk, at);
  const { viewer, surface } = desk.pane;
  /** @type {Point} */
  const middle = [viewer.box.x + viewer.box.width / 2, viewer.box.y + viewer.box.height / 2];
  return [
    h("h2", {}, t("add.heading")),
    h("p", { class: "hint" }, icon("touch"), t("add.how")),
    h("div", { class: "row" },
      surface.toMm && button(t("add.middle"), () => void addAt(desk, middle), { key: "add-middle" }),
      button(t("cancel"), () => desk.setMode({ name: "look" }), { key: "cancel" })),
  ];
}

/** @param {Desk} desk @param {Point} at */
async function addAt(desk, at) {
  const { open, pane } = desk;
  const kind = await pickKind({ heading: t("add.which") });
  desk.setMode({ name: "look" });
  if (!kind) return;
  const id = freeId(open.board.tiles);
  const footprint = pane.surface.toMm ? newFootprint(open.board, kind, (each) => kindOf(each)?.shape ?? "round", pane.surface.toMm(at)) : null;
  const done = await open.correct([{ do: "add_tile", tile: footprint ? { id, kind, footprint } : { id, kind } }]);
  if (!done) return;
  open.choose(id);
  const tile = open.tile(id);
  if (tile?.footprint) startMove(desk, tile);
}

/** @param {Tile[]} tiles */
function freeId(tiles) {
  let n = 1;
  while (tiles.some((tile) => tile.id === `n${n}`)) n += 1;
  return `n${n}`;
}

/** @param {Desk} desk @param {Tile} tile */
function startMove(desk, tile) {
  desk.open.lit = null;
  desk.setMode({ name: "move", tile: tile.id, shift: [0, 0], angle: 0 });
  desk.pane.bringIn([tile.id], 0.3);
}

/** @param {Desk} desk */
export function movePanel(desk) {
  const { mode, open } = desk;
  if (mode.name !== "move") return [];
  const nudge = (/** @type {number} */ dx, /** @type {number} */ dy) => { mode.shift = [mode.shift[0] + dx, mode.shift[1] + dy]; desk.draw(); };
  const turn = (/** @type {number} */ by) => { mode.angle += by; desk.draw(); };
  const step = (/** @type {"left"|"right"|"up"|"down"} */ side, /** @type {number} */ dx, /** @type {number} */ dy) => {
    const [ux, uy] = onBoard(desk, dx, dy);
    return iconButton(t(`move.${side}`), icon(side), () => nudge(ux, uy), { key: side, class: `icon-button ${side}` });
  };
  return [
    h("h2", {}, t("move.heading", { tile: kindName(open.tile(mode.tile)?.kind ?? "") })),
    h("p", { class: "hint" }, icon("move"), t("move.how")),
    h("div", { class: "mover" },
      iconButton(t("move.turn_back"), icon("turn_back"), () => turn(-15), { key: "turn-back" }), step("up", 0, -1), iconButton(t("move.turn"), icon("turn"), () => turn(15), { key: "turn" }),
      step("left", -1, 0), h("output", { "aria-label": t("move.angle") }, `${mode.angle}°`), step("right", 1, 0),
      h("span"), step("down", 0, 1), h("span")),
    h("div", { class: "row" },
      button(t("move.done"), () => void finishMove(desk), { class: "button primary", icon: icon("check"), key: "done", disabled: open.busy }),
      button(t("cancel"), () => desk.setMode({ name: "look" }), { key: "cancel" })),
  ];
}

/** A step of 2 mm as seen on the picture, in board millimetres. @param {Desk} desk @param {number} dx @param {number} dy @returns {Point} */
function onBoard(desk, dx, dy) {
  const footprint = desk.mode.name === "move" ? desk.open.tile(desk.mode.tile)?.footprint : null;
  const { toMm, toPicture } = desk.pane.surface;
  if (!footprint || !toMm) return [2 * dx, 2 * dy];
  const center = areaCentroid(footprint);
  const [x, y] = toPicture(center);
  const [mx, my] = toMm([x + dx, y + dy]);
  const length = Math.hypot(mx - center[0], my - center[1]) || 1;
  return [(2 * (mx - center[0])) / length, (2 * (my - center[1])) / length];
}

/** @param {Desk} desk */
async function finishMove(desk) {
  const { mode, open } = desk;
  if (mode.name !== "move") return;
  const round = (/** @type {number} */ value) => Math.round(value * 100) / 100;
  const [dx, dy] = mode.shift;
  const still = dx === 0 && dy === 0 && mode.angle % 360 === 0;
  if (still || (await open.correct([{ do: "move_tile", tile: mode.tile, dx_mm: round(dx), dy_mm: round(dy), angle_deg: mode.angle }]))) desk.setMode({ name: "look" });
}
