/** What this device remembers: the tokens of readings and tables, and the last readings with their photos for offline use. */

/** @typedef {import("./types.js").Reading} Reading */
/** @typedef {{id: string, token: string, created: string, total: number | null, table?: {id: string, seat: number} | null}} KnownReading */
/** @typedef {{id: string, token: string, seat: number | null, players: string[], created: string, seats?: {seat: number, player: string, token: string, join_url?: string}[], join_url?: string, qr_urls?: any}} KnownTable */

const READINGS = "boardsnap.readings";
const TABLES = "boardsnap.tables";
const ART = "boardsnap.art";
const SHELF = "boardsnap";
const KEPT_OFFLINE = 5; // photos of up to 2,000 pixels: a few MB in all

/** @param {string} key @returns {any[]} */
function listOf(key) {
  try {
    const list = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

/** @param {string} key @param {{id: string}} entry */
function putFirst(key, entry) {
  const rest = listOf(key).filter((known) => known.id !== entry.id);
  localStorage.setItem(key, JSON.stringify([entry, ...rest].slice(0, 100)));
}

/** @param {string} key @param {string} id */
function forget(key, id) {
  localStorage.setItem(key, JSON.stringify(listOf(key).filter((known) => known.id !== id)));
}

/** @returns {KnownReading[]} */
export const knownReadings = () => listOf(READINGS);
/** @param {string} id @returns {KnownReading | undefined} */
export const knownReading = (id) => knownReadings().find((known) => known.id === id);
/** @param {KnownReading} entry */
export const rememberReading = (entry) => putFirst(READINGS, entry);
/** @returns {KnownTable[]} */
export const knownTables = () => listOf(TABLES);
/** @param {string} id @returns {KnownTable | undefined} */
export const knownTable = (id) => knownTables().find((known) => known.id === id);
/** @param {KnownTable} entry */
export const rememberTable = (entry) => putFirst(TABLES, entry);
/** @param {string} id */
export const forgetTable = (id) => forget(TABLES, id);

/** The art of this player's copy of the game, or null: recognised from the photo. */
export const chosenArt = () => localStorage.getItem(ART);

/** @param {string | null} name */
export function rememberArt(name) {
  if (name) localStorage.setItem(ART, name);
  else localStorage.removeItem(ART);
}

/** @param {string} id */
export async function forgetReading(id) {
  forget(READINGS, id);
  await onShelf("readwrite", (shelf) => shelf.delete(id));
}

/** Keeps a reading and its photo; IndexedDB, as it works on a page without https too. @param {Reading} reading @param {Blob | null} photo */
export async function keepOffline(reading, photo) {
  const { token, ...kept } = reading;
  await onShelf("readwrite", (shelf) => shelf.put({ reading: kept, photo, at: Date.now() }, reading.id));
  const all = (await onShelf("readonly", (shelf) => shelf.getAllKeys())) ?? [];
  const wanted = new Set(knownReadings().slice(0, KEPT_OFFLINE).map((known) => known.id).concat(reading.id));
  for (const id of all) if (!wanted.has(String(id))) await onShelf("readwrite", (shelf) => shelf.delete(id));
}

/** @param {string} id @returns {Promise<{reading: Reading, photo: Blob | null} | null>} */
export const keptOffline = async (id) => (await onShelf("readonly", (shelf) => shelf.get(id))) ?? null;

/** @param {IDBTransactionMode} mode @param {(shelf: IDBObjectStore) => IDBRequest} act @returns {Promise<any>} */
async function onShelf(mode, act) {
  const base = await opened();
  if (!base) return null;
  return new Promise((done) => {
    const request = act(base.transaction(SHELF, mode).objectStore(SHELF));
    request.addEventListener("success", () => done(request.result));
    request.addEventListener("error", () => done(null)); // a full disk: the page works on without the copy
  });
}

/** @type {Promise<IDBDatabase | null> | undefined} */
let opening;

/** @returns {Promise<IDBDatabase | null>} */
function opened() {
  opening ??= new Promise((done) => {
    const request = indexedDB.open(SHELF, 1);
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore(SHELF));
    request.addEventListener("success", () => done(request.result));
    request.addEventListener("error", () => done(null)); // a private window may refuse
  });
  return opening;
}

/** Returns 128 random bits as text; randomUUID exists on https pages only. */
export function randomKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
