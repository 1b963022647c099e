/** The setup helper: what the rulebook says for these players, six drawn objectives, whose turn it is, and the final minute. */

import { badge } from "../categories.js";
import { cardName, cardRule, kindName } from "../catalogue.js";
import { button, h, iconButton, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { problemText } from "../notices.js";
import { go } from "../router.js";
import { getSetup } from "../service.js";
import { categoryOfCard } from "./cards.js";
import { FinalMinute } from "./final_minute.js";
import { playersChoice } from "./options.js";
import { DRAFT } from "./tables.js";

/**
 * @typedef {{rounds: number, hosts: number[], stacks: number, tiles_a_stack: number, dealt_tiles: number, take_out: Record<string, number>, take_out_breads: number,
 *   take_out_breads_differ: boolean, objectives: string[], final_minute_s: number}} Setup
 * @typedef {{players: number, variant: string | null, first: boolean, seed: number, round: number}} Wish
 */

const KEPT = "boardsnap.setup";
const VARIANTS = { 2: "less_random", 3: "less_random", 5: "crunchy", 6: "crunchy" };

/** @returns {Wish} */
const kept = () => ({ players: 4, variant: null, first: true, seed: drawSeed(), round: 1, ...JSON.parse(sessionStorage.getItem(KEPT) ?? "{}") });

const drawSeed = () => Math.floor(Math.random() * 1_000_000);

/** @param {HTMLElement} place */
export function setupView(place) {
  const wish = kept();
  const main = h("main", { class: "page setup" });
  const minute = new FinalMinute();
  document.title = `${t("home.setup")} · boardsnap`;
  place.append(h("header", { class: "bar" }, iconButton(t("back"), icon("back"), () => go("")), h("h1", {}, t("home.setup"))), main);
  const draw = async () => {
    sessionStorage.setItem(KEPT, JSON.stringify(wish));
    const change = (/** @type {Partial<Wish>} */ changes) => { Object.assign(wish, changes); void draw(); };
    try {
      const setup = /** @type {Setup} */ (await getSetup(query(wish)));
      minute.seconds = setup.final_minute_s;
      redraw(main, ...choices(wish, change), ...steps(wish, setup, change), rounds(wish, setup, change), minute.root);
    } catch (error) {
      redraw(main, ...choices(wish, change), h("p", { class: "hint", role: "alert" }, icon("offline"), problemText(error)), minute.root);
    }
  };
  void draw();
  return () => minute.stop();
}

/** @param {Wish} wish */
function query(wish) {
  /** @type {Record<string, string>} */
  const asked = { players: String(wish.players), seed: String(wish.seed) };
  if (wish.first) asked.first_game = "true";
  if (wish.variant) asked.variant = wish.variant;
  return asked;
}

/** @param {Wish} wish @param {(changes: Partial<Wish>) => void} change */
function choices(wish, change) {
  const variant = VARIANTS[/** @type {2} */ (wish.players)];
  return [
    h("h2", {}, t("options.players")),
    playersChoice(wish.players, (n) => change({ players: n ?? wish.players, variant: null, round: 1 })),
    h("label", { class: "tick" }, h("input", { type: "checkbox", key: "first", checked: wish.first, on: { change: () => change({ first: !wish.first }) } }), h("span", {}, t("setup.first"), h("small", {}, t("setup.first_why")))),
    variant && h("label", { class: "tick" }, h("input", { type: "checkbox", key: "variant", checked: wish.variant === variant, on: { change: () => change({ variant: wish.variant ? null : variant, round: 1 }) } }),
      h("span", {}, t(`variant.${variant}`), h("small", {}, t(`variant.${variant}.why`)))),
  ];
}

/** @param {Wish} wish @param {Setup} setup @param {(changes: Partial<Wish>) => void} change */
function steps(wish, setup, change) {
  const out = takenOut(setup);
  return [
    h("h2", {}, t("setup.heading")),
    h("ol", { class: "steps" },
      h("li", {}, t("setup.boards", { n: wish.players })),
      h("li", {}, t("setup.objectives"), objectivesDrawn(setup), h("div", { class: "row" },
        button(t("setup.draw_again"), () => change({ seed: drawSeed() }), { icon: icon("turn"), key: "draw-again" }),
        button(t("setup.use"), () => useForTable(wish, setup), { icon: icon("people"), key: "use" }))),
      h("li", {}, t("setup.recipes")),
      out.length > 0 && h("li", {}, t("setup.take_out"), h("ul", { class: "chips" }, ...out.map((text) => h("li", { class: "chip" }, text)))),
      setup.dealt_tiles > 0 && h("li", {}, t("setup.start_tiles", { n: setup.dealt_tiles })),
      h("li", {}, t("setup.host"))),
  ];
}

/** What leaves the bag, in words. @param {Setup} setup @returns {string[]} */
function takenOut(setup) {
  const breads = setup.take_out_breads && t(setup.take_out_breads_differ ? "setup.distinct_breads" : "setup.breads", { n: setup.take_out_breads });
  return [...Object.entries(setup.take_out).map(([kind, copies]) => `${copies} × ${kindName(kind)}`), ...(breads ? [breads] : [])];
}

/** @param {Setup} setup */
function objectivesDrawn(setup) {
  return h("ul", { class: "drawn" }, ...setup.objectives.map((id) =>
    h("li", {}, badge(categoryOfCard(id) ?? "bread", "large"), h("span", {}, h("b", {}, cardName(id)), h("small", {}, cardRule(id))))));
}

/** @param {Wish} wish @param {Setup} setup */
function useForTable(wish, setup) {
  const names = JSON.parse(sessionStorage.getItem(DRAFT) ?? "{}").players ?? [];
  const players = Array.from({ length: wish.players }, (_, index) => names[index] ?? "");
  sessionStorage.setItem(DRAFT, JSON.stringify({ players, variant: wish.variant, objectives: setup.objectives, house_rules: {} }));
  go("tables");
}

/** @param {Wish} wish @param {Setup} setup @param {(changes: Partial<Wish>) => void} change */
function rounds(wish, setup, change) {
  const round = Math.min(wish.round, setup.rounds);
  const last = round === setup.rounds;
  return h("section", { class: "rounds" },
    h("h2", {}, t("round.heading", { round, rounds: setup.rounds })),
    h("p", { class: "round-host" }, t("round.host", { host: setup.hosts[round - 1] ?? 1 })),
    h("p", { class: "stacks" }, h("b", {}, `${setup.stacks} × ${setup.tiles_a_stack}`), ` ${t("round.stacks", { stacks: setup.stacks, tiles: setup.tiles_a_stack })}`),
    h("p", { class: "hint" }, t(wish.players === 2 ? "round.choose_two" : "round.choose")),
    last && h("p", { class: "hint" }, icon("timer"), t("round.last")),
    h("div", { class: "row" },
      button(t("round.before"), () => change({ round: round - 1 }), { icon: icon("left"), key: "before", disabled: round === 1 }),
      button(t("round.next"), () => change({ round: round + 1 }), { class: "button primary", icon: icon("right"), key: "next-round", disabled: last })));
}
