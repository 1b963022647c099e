/** What to do with a result: share it as a picture, print it, save the board, or delete photo and reading. */

import { forgetReading, knownReading } from "../device_store.js";
import { button, h, iconButton } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { notice, tellProblem } from "../notices.js";
import { go } from "../router.js";
import { deleteReading, fetchFile } from "../service.js";
import { confirmed, openSheet } from "../sheet.js";
import { pointsText } from "../sentences.js";

/** @typedef {import("./reading.js").Desk} Desk */

/** @param {Desk} desk */
export function resultMenu(desk) {
  return iconButton(t("result.share"), icon("share"), () => void openMenu(desk), { key: "share" });
}

/** @param {Desk} desk */
async function openMenu(desk) {
  const table = knownReading(desk.open.reading.id)?.table;
  const picked = await openSheet(t("result.heading", { points: pointsText(desk.open.report.total) }), (/** @type {(picked: string | null) => void} */ done) => [
    h("div", { class: "menu" },
      button(t("result.picture"), () => done("picture"), { class: "button primary", icon: icon("share") }),
      button(t("result.print"), () => done("print"), { icon: icon("print") }),
      button(t("result.board"), () => done("board"), { icon: icon("save") }),
      table ? button(t("result.to_table"), () => done("table"), { icon: icon("people") }) : null,
      button(t("result.delete"), () => done("delete"), { class: "button danger", icon: icon("trash") })),
    h("p", { class: "hint" }, t("result.private")),
  ]);
  if (picked === "picture") await sharePicture(desk);
  if (picked === "print") await printResult(desk);
  if (picked === "board") saveBoard(desk);
  if (picked === "table" && table) go(`table/${table.id}`);
  if (picked === "delete") await deleteAll(desk);
}

/** @param {Desk} desk */
async function sharePicture({ open }) {
  try {
    const picture = await fetchFile(`/v1/readings/${open.reading.id}/overlay.png`, open.token);
    const file = new File([picture], "boardsnap.png", { type: "image/png" });
    if (navigator.canShare?.({ files: [file] })) await navigator.share({ files: [file], title: t("result.heading", { points: pointsText(open.report.total) }) });
    else saveFile(file, file.name);
  } catch (error) {
    if (!(error instanceof DOMException)) tellProblem(error); // a DOMException: the player closed the share sheet
  }
}

/** @param {Desk} desk */
async function printResult(desk) {
  desk.open.choose(null);
  desk.setTab("cards");
  desk.pane.viewer.whole();
  await new Promise((done) => setTimeout(done, 350)); // the view glides back to the whole board
  print();
}

/** @param {Desk} desk */
function saveBoard({ open }) {
  saveFile(new Blob([JSON.stringify(open.board, null, 1)], { type: "application/json" }), "board.json");
}

/** @param {Desk} desk */
async function deleteAll({ open }) {
  if (!(await confirmed(t("result.delete_sure"), t("result.delete")))) return;
  try {
    if (open.token) await deleteReading(open.reading.id, open.token);
    await forgetReading(open.reading.id);
    notice(t("result.deleted"));
    go("");
  } catch (error) {
    tellProblem(error);
  }
}

/** Hands a file to the browser to save. @param {Blob} file @param {string} name */
export function saveFile(file, name) {
  const address = URL.createObjectURL(file);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
