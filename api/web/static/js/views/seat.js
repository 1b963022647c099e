/** A seat's own controls: photograph the board, open it to correct it, send it again, and choose the recipe. */

import { knownReading, rememberReading } from "../device_store.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { notice, tellProblem } from "../notices.js";
import { go, show } from "../router.js";
import { putSeat } from "../service.js";
import { openSheet } from "../sheet.js";
import { recipeChoice } from "./options.js";
import { fileButton, uploadPhoto } from "./upload.js";

/** @typedef {import("../types.js").Table} Table @typedef {import("../types.js").Seat} Seat @typedef {import("../device_store.js").KnownTable} KnownTable */

/** @param {KnownTable} known @param {Table} table @param {Seat} seat @param {() => Promise<void>} again @param {HTMLElement} place */
export function boardOfSeat(known, table, seat, again, place) {
  const token = known.seats?.find((each) => each.seat === seat.seat)?.token ?? known.token;
  const reading = seat.reading_id ? knownReading(seat.reading_id) : undefined;
  const take = (/** @type {File[]} */ [photo]) => photo && void sendPhoto(known, table, seat, token, photo, place);
  const player = known.seat === seat.seat;
  return [
    fileButton(seat.board ? t("seat.another_photo") : t(player ? "seat.take" : "seat.take_short"), icon("camera"), player && !seat.board ? "button primary" : "button", true, take),
    !seat.board && fileButton(t(player ? "home.choose" : "seat.choose_short"), icon("picture"), "button quiet", false, take),
    reading && button(t("seat.open"), () => go(`reading/${reading.id}`), { icon: icon("eye"), key: `open-${seat.seat}` }),
    button(t("seat.recipe"), () => void chooseRecipe(known, seat, token, again), { class: "button quiet", icon: icon("book"), key: `recipe-${seat.seat}` }),
  ];
}

/** @param {KnownTable} known @param {Table} table @param {Seat} seat @param {string} token @param {File} photo @param {HTMLElement} place */
function sendPhoto(known, table, seat, token, photo, place) {
  const options = { players: table.players.length, objectives: table.objectives ?? "all", house_rules: table.house_rules, art: table.art };
  return uploadPhoto(place, photo, options, async (reading, readingToken) => {
    rememberReading({ id: reading.id, token: readingToken, created: reading.created, total: reading.report?.total ?? null, table: { id: known.id, seat: seat.seat } });
    await putSeat(known.id, seat.seat, token, "reading", { reading_id: reading.id, reading_token: readingToken });
    notice(t("seat.sent"));
    if (reading.report?.questions.length) go(`reading/${reading.id}`);
    else await show();
  });
}

/** @param {KnownTable} known @param {Seat} seat @param {string} token @param {() => Promise<void>} again */
async function chooseRecipe(known, seat, token, again) {
  /** @type {string | number | null} */
  let recipe = typeof seat.recipe === "object" ? seat.recipe.id : null;
  const chosen = await openSheet(t("seat.recipe"), (/** @type {(done: boolean | null) => void} */ done) => [
    h("p", { class: "hint" }, icon("hidden"), t("seat.recipe_hidden")),
    recipeChoice(recipe, (value) => { recipe = value; }),
    button(t("seat.recipe_keep"), () => done(true), { class: "button primary wide", icon: icon("check") }),
  ]);
  if (!chosen) return;
  try {
    await putSeat(known.id, seat.seat, token, "recipe", { recipe });
    notice(t("seat.recipe_kept"));
    await again();
  } catch (error) {
    tellProblem(error);
  }
}
