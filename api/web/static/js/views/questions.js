/** The questions of a reading, one at a time, those with the most points at stake first. */

import { badge } from "../categories.js";
import { categoryOf } from "../catalogue.js";
import { closeup } from "../closeup.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { keyOf } from "../open_reading.js";
import { likelihood, pointsText, questionSentence, wayText, whySentence } from "../sentences.js";
import { pickKind } from "./kind_picker.js";

/** @typedef {import("./reading.js").Desk} Desk @typedef {import("../types.js").Question} Question @typedef {import("../types.js").Correction} Correction */

/**
 * Returns the question to ask now: the one on the screen until it is answered, even where points at stake, weighed anew,
 * change the order; else a finger could meet another question than the one read.
 * @param {Desk} desk @returns {Question | undefined}
 */
export function currentQuestion(desk) {
  const counting = desk.open.questionsThatCount;
  const shown = desk.open.questions.find((question) => keyOf(question) === desk.asking);
  const current = shown ?? (counting.length || !desk.allQuestions ? counting : desk.open.questions)[0];
  desk.asking = current ? keyOf(current) : null;
  return current;
}

/** @param {Desk} desk */
export function questionsPanel(desk) {
  const { open } = desk;
  const counting = open.questionsThatCount;
  const first = currentQuestion(desk);
  const left = counting.length || open.questions.length;
  const answered = open.settled.length;
  if (!first)
    return [
      h("p", { class: "all-well" }, icon("check"), t(answered ? "questions.done" : "questions.none")),
      open.questions.length > 0 && h("p", { class: "hint" }, t("questions.others", { n: open.questions.length })),
      open.questions.length > 0 && button(t("questions.ask_others"), () => { desk.allQuestions = true; desk.draw(); }, { key: "ask-others" }),
      answered > 0 && button(t("questions.again"), () => open.askAgain(), { class: "button quiet" }),
    ];
  return [
    h("div", { class: "question-head" },
      h("h2", {}, t(counting.length ? "questions.heading" : "questions.heading_others", { n: left })),
      h("progress", { max: answered + left, value: answered, "aria-label": t("questions.progress") })),
    questionCard(desk, first),
  ];
}

/** @param {Desk} desk @param {Question} question */
function questionCard(desk, question) {
  const { open, pane } = desk;
  const says = questionSentence(question, open.board);
  const why = whySentence(question);
  const show = () => { open.light(`question-${question.tiles.join("-")}`, question.tiles); pane.bringIn(question.tiles, 0.35); };
  return h("article", { class: "question", "data-question": keyOf(question), "aria-label": says },
    question.tiles.length > 0 && h("button", { type: "button", class: "closeup-button", key: "closeup", "aria-label": t("questions.show"), on: { click: show } },
      closeup(pane.surface, open.board, question.tiles, "")),
    h("div", { class: "question-text" },
      h("p", { class: "asks" }, says),
      h("p", { class: "stake" }, question.points_at_stake ? h("b", {}, t("questions.stake", { points: pointsText(question.points_at_stake) })) : t("questions.no_stake"), why && ` · ${why}`)),
    h("div", { class: "answers" }, ...answersOf(desk, question)),
    question.about === "kind" && button(t("questions.another_kind"), () => anotherKind(desk, question), { class: "button quiet", key: "another" }),
    h("button", { type: "button", class: "link", key: "later", on: { click: () => void open.answer(question, []) } }, t("questions.skip")));
}

/** The answers as buttons: what the reading took first, then what else it could be. @param {Desk} desk @param {Question} question */
function answersOf(desk, question) {
  const { open } = desk;
  const kept = asRead(desk, question);
  const ways = [{ text: keptText(desk, question), way: kept, name: "as-read" }, ...question.alternatives.map((way, index) => ({ text: wayText(way), way, name: `other-${index}` }))];
  if (question.about === "contact") ways.sort((a) => (a.way[0]?.touching === false ? 1 : -1));
  return ways.map(({ text, way, name }) => {
    const right = name === "as-read";
    const kind = way[0]?.do === "set_kind" && question.about === "kind" ? way[0].kind : null;
    return h("button", {
      type: "button", class: right ? "answer as-read" : "answer", key: `answer-${name}`, disabled: open.busy,
      on: { click: () => void open.answer(question, way) },
    }, kind && badge(categoryOf(kind)), h("span", {}, text), kind && h("small", {}, likelihood(question, kind)), right && h("small", { class: "taken" }, t("questions.as_read")));
  });
}

/** What to send where the reading was right: the same again, so that the service closes the question. @param {Desk} desk @param {Question} question @returns {Correction[]} */
function asRead(desk, question) {
  const [a, b] = question.tiles;
  const kind = desk.open.tile(a)?.kind;
  if ((question.about === "kind" || question.about === "tile") && kind) return [{ do: "set_kind", tile: a, kind }];
  if (question.about === "contact") return [{ do: "set_contact", a, b, touching: question.alternatives[0]?.[0]?.touching === false }];
  if (question.about === "over") return [{ do: "set_over", upper: a, lower: b, stacked: true }];
  return [];
}

/** @param {Desk} desk @param {Question} question */
function keptText(desk, question) {
  const way = asRead(desk, question);
  if (question.about === "tile") return t("way.is_tile");
  if (question.about === "over") return t("way.over_right");
  return wayText(way);
}

/** @param {Desk} desk @param {Question} question */
async function anotherKind(desk, question) {
  const [tile] = question.tiles;
  const kind = await pickKind({ likely: question.alternatives.map((way) => way[0]?.kind).filter(Boolean), now: desk.open.tile(tile)?.kind ?? null });
  if (kind) await desk.open.answer(question, [{ do: "set_kind", tile, kind }]);
}
