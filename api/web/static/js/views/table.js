/** One table: seats and join links, boards sent, recipes, the leaderboard and exports. Looks for news every few seconds. */

import { cardName } from "../catalogue.js";
import { knownTable, rememberTable } from "../device_store.js";
import { button, h, iconButton, redraw } from "../dom.js";
import { listed, t } from "../i18n.js";
import { icon } from "../icons.js";
import { notice, problemText, tellProblem } from "../notices.js";
import { go } from "../router.js";
import { fetchFile, getTable, revealRecipes } from "../service.js";
import { confirmed, openSheet } from "../sheet.js";
import { checkSentence, pointsText } from "../sentences.js";
import { saveFile } from "./result.js";
import { boardOfSeat } from "./seat.js";

/** @typedef {import("../types.js").Table} Table @typedef {import("../types.js").Seat} Seat @typedef {import("../device_store.js").KnownTable} KnownTable */

const NEWS_MS = 4000;

/** @param {HTMLElement} place @param {string} id */
export async function tableView(place, id) {
  const known = knownTable(id);
  if (!known) {
    place.append(h("main", { class: "empty" }, icon("people"), h("h1", {}, t("table.unknown")), h("p", {}, t("table.unknown_why")), button(t("home"), () => go(""), { class: "button primary" })));
    return undefined;
  }
  const main = h("main", { class: "page table" }, h("p", { role: "status" }, t("reading.opening")));
  place.append(h("header", { class: "bar" }, iconButton(t("back"), icon("back"), () => go("")), h("h1", {}, t("table.heading"))), main);
  let shown = "";
  const look = async () => {
    try {
      const table = /** @type {Table} */ (await getTable(id, known.token));
      const news = JSON.stringify(table);
      if (news === shown) return;
      shown = news;
      const mine = mySeat(known, table);
      rememberTable({ ...known, players: table.players, seat: mine });
      redraw(main, ...tableParts({ ...known, seat: mine }, table, () => { shown = ""; return look(); }, place));
    } catch (error) {
      if (!shown) redraw(main, h("p", { class: "hint", role: "alert" }, problemText(error)));
    }
  };
  await look();
  const timer = setInterval(() => { if (!document.hidden && main.isConnected) void look(); }, NEWS_MS);
  return () => clearInterval(timer);
}

/** The seat of this device's token, or null for the host. @param {KnownTable} known @param {Table} table */
function mySeat(known, table) {
  return table.you ? table.you.seat : known.seat;
}

/** @param {KnownTable} known @param {Table} table @param {() => Promise<void>} again @param {HTMLElement} place */
function tableParts(known, table, again, place) {
  const host = known.seat === null;
  return [
    h("p", { class: "lead" }, host ? t("table.you_host", { players: listed(table.players) }) : t("table.you", { player: table.seats.find((seat) => seat.seat === known.seat)?.player ?? "" })),
    table.complete || table.seats.some((seat) => seat.total !== null) ? leaderboard(table) : null,
    h("h2", {}, t("table.seats")),
    h("ul", { class: "seats" }, ...table.seats.map((seat) => seatItem(known, table, seat, again, place))),
    host && hiddenRecipes(table) && button(t("table.reveal"), () => void reveal(known, again), { class: "button wide", icon: icon("eye"), key: "reveal" }),
    table.report && wholeTable(table),
    table.complete && h("div", { class: "row exports", role: "group", "aria-label": t("table.export") }, ...["png", "csv", "json"].map((format) =>
      button(t(`table.export_${format}`), () => void exportTable(known, format), { icon: icon("save"), key: `export-${format}` }))),
  ];
}

/** @param {Table} table */
const hiddenRecipes = (table) => !table.revealed && table.seats.some((seat) => seat.recipe !== "none");

/** @param {Table} table */
function leaderboard(table) {
  const ranking = table.report?.ranking ?? table.seats.filter((seat) => seat.total !== null).map((seat) => /** @type {[string, number]} */ ([seat.player, seat.total])).sort((a, b) => b[1] - a[1]);
  const places = table.report?.places ?? ranking.map(([, total]) => 1 + ranking.filter(([, other]) => other > total).length);
  const best = Math.max(1, ...ranking.map(([, total]) => total));
  return h("section", { class: "leaderboard", "aria-live": "polite" },
    h("h2", {}, table.complete ? t("table.result") : t("table.so_far")),
    h("ol", {}, ...ranking.map(([player, total], index) => h("li", { class: table.complete && places[index] === 1 ? "winner" : "" },
      h("span", { class: "place" }, `${places[index]}.`), h("span", { class: "grow" }, player,
        h("span", { class: "bar-line", "aria-hidden": "true" }, h("span", { css: { "inline-size": `${Math.max(2, (100 * total) / best)}%` } }))),
      h("b", {}, pointsText(total))))),
    table.complete && h("p", { class: "winner-line" }, icon("star"), t(places.filter((each) => each === 1).length > 1 ? "table.tie" : "table.won", { players: listed(ranking.filter((_, index) => places[index] === 1).map(([player]) => player)) })));
}

/** @param {KnownTable} known @param {Table} table @param {Seat} seat @param {() => Promise<void>} again @param {HTMLElement} place */
function seatItem(known, table, seat, again, place) {
  const host = known.seat === null;
  const mine = known.seat === seat.seat;
  return h("li", { class: mine ? "seat mine" : "seat" },
    h("div", { class: "seat-head" }, h("b", { class: "grow" }, seat.player, mine && h("small", {}, ` ${t("table.yours")}`)),
      h("span", { class: seat.board ? "chip done" : "chip" }, seat.board ? t("table.board_in") : t("table.board_missing")),
      seat.total !== null && h("b", { class: "seat-total" }, pointsText(seat.total))),
    h("p", { class: "seat-recipe" }, icon(seat.recipe === "hidden" ? "hidden" : "book"), recipeText(seat)),
    (mine || host) && h("div", { class: "seat-controls" }, host && joinButton(known, seat), ...boardOfSeat(known, table, seat, again, place)));
}

/** @param {Seat} seat */
function recipeText(seat) {
  if (seat.recipe === "hidden") return t("recipe.hidden");
  if (seat.recipe === "none") return t("recipe.none_yet");
  const { id } = seat.recipe;
  const shown = /^-?\d+$/.test(id) ? t("recipe.by_hand") : cardName(id);
  return seat.recipe.points === null ? shown : `${shown}: ${pointsText(seat.recipe.points)}`;
}

/** @param {KnownTable} known @param {Seat} seat */
function joinButton(known, seat) {
  const link = known.seats?.find((each) => each.seat === seat.seat)?.join_url;
  return link ? button(t("table.invite", { player: seat.player }), () => void showInvite(known, seat, link), { class: seat.board ? "button quiet" : "button primary", icon: icon("share"), key: `invite-${seat.seat}` }) : null;
}

/** Shows the QR code of a seat, and its link. @param {KnownTable} known @param {Seat} seat @param {string} link */
async function showInvite(known, seat, link) {
  const address = new URL(link, location.origin).href;
  const token = known.seats?.find((each) => each.seat === seat.seat)?.token ?? known.token;
  const code = await fetchFile(`/v1/tables/${known.id}/qr.svg?seat=${seat.seat}`, token).then(URL.createObjectURL, () => null);
  await openSheet(t("table.invite_heading", { player: seat.player }), () => [
    code && h("img", { class: "qr", src: code, alt: t("table.qr") }),
    h("p", { class: "hint" }, t("table.invite_why", { player: seat.player })),
    h("p", { class: "address" }, h("a", { href: address, class: "join-link" }, address)),
    h("div", { class: "row" }, button(t("table.copy"), () => void copy(address), { icon: icon("save") }),
      typeof navigator.share === "function" && button(t("table.send"), () => void navigator.share({ url: address, title: "boardsnap" }).catch(() => undefined), { icon: icon("share") })),
  ]);
  if (code) URL.revokeObjectURL(code);
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notice(t("table.copied"));
  } catch {
    notice(t("table.copy_by_hand"), "problem"); // a page without https may not write to the clipboard
  }
}

/** @param {Table} table */
function wholeTable(table) {
  const checks = table.report?.checks ?? [];
  return checks.length === 0 ? null : h("section", {}, h("h2", {}, t("table.checks")), h("ul", { class: "checks" }, ...checks.map((check) =>
    h("li", { class: `check ${check.status === "violation" ? "faulty" : "asked"}` }, h("span", { class: "sign faulty" }, "!"), h("span", {}, checkSentence(check, null))))));
}

/** @param {KnownTable} known @param {() => Promise<void>} again */
async function reveal(known, again) {
  if (!(await confirmed(t("table.reveal_sure"), t("table.reveal")))) return;
  try {
    await revealRecipes(known.id, known.token);
    await again();
  } catch (error) {
    tellProblem(error);
  }
}

/** @param {KnownTable} known @param {string} format */
async function exportTable(known, format) {
  try {
    saveFile(await fetchFile(`/v1/tables/${known.id}/export.${format}`, known.token), `boardsnap-table.${format}`);
  } catch (error) {
    tellProblem(error);
  }
}
