/** Join links: /t/TABLE#TOKEN. The token is kept on this device and taken out of the address at once. */

import { knownTable, rememberTable } from "../device_store.js";

/** Remembers the table of a join link and opens it. */
export function takeJoinLink() {
  const found = /^\/t\/([\w-]+)/.exec(location.pathname);
  if (!found) return;
  const [token, seat] = location.hash.replace(/^#\/?/, "").split(/[.:~]/);
  const id = found[1];
  const known = knownTable(id);
  if (token && token !== known?.token) rememberTable({ id, token, seat: seat ? Number(seat) : null, players: known?.players ?? [], created: new Date().toISOString() });
  history.replaceState(null, "", `/#/table/${id}`);
}
