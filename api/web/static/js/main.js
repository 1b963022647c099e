/** Starts the page: language, catalogue, join links, views, and the copy for offline use. */

import { loadCatalogue } from "./catalogue.js";
import { loadLanguage, t } from "./i18n.js";
import { notice } from "./notices.js";
import { startRouter } from "./router.js";
import { enrolView } from "./views/enrol.js";
import { homeView } from "./views/home.js";
import { takeJoinLink } from "./views/join.js";
import { readingView } from "./views/reading.js";
import { setupView } from "./views/setup.js";
import { tableView } from "./views/table.js";
import { tablesView } from "./views/tables.js";

async function start() {
  await loadLanguage();
  await loadCatalogue();
  takeJoinLink();
  startRouter({ "": homeView, reading: readingView, tables: tablesView, table: tableView, setup: setupView, enrol: enrolView });
  addEventListener("offline", () => notice(t("offline.now"), "problem"));
  addEventListener("online", () => notice(t("offline.over")));
  // Browsers allow service workers on https and on localhost only; elsewhere the page works online.
  if ("serviceWorker" in navigator) await navigator.serviceWorker.register("/sw.js").catch(() => undefined);
}

void start();
